// The command `kiln`.
import { parseCommandLine } from './command-line.js';
import { readEnvironment } from './environment.config.js';
import { processTerminal } from './terminal/terminal.js';

const controller = new AbortController();
process.on('SIGINT', () => {
  // The second Ctrl-C does not wait.
  if (controller.signal.aborted) process.exit(130);
  controller.abort(new Error('interrupted'));
});
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe has ended, as `head` does.
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`error: The output cannot be written: ${error.message}\n`);
  process.exit(1);
});
// An upload continues when the reader of its messages has ended.
process.stderr.on('error', () => {});

const environment = readEnvironment();
const words = process.argv.slice(2);
const terminal = processTerminal(environment.isColorless || words.includes('--no-color'));
process.exitCode = await parseCommandLine(words, { environment, terminal, signal: controller.signal });
