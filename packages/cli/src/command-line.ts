// From the words of a command line to its exit code.
import { Command, CommanderError } from 'commander';
import { catalog, isGroup, type Entry, type Listed } from './catalog.js';
import type { GlobalOptions } from './config/settings.js';
import type { Context, Use } from './context.js';
import { contextOf, type Surroundings } from './context-of.js';
import { describeFailure } from './describe-failure.js';
import { exitCodes, exitCodesHelp } from './exit-codes.js';
import { cleanText } from './terminal/clean.js';
import { paint } from './terminal/paint.js';
import { VERSION } from './version.js';

/** The library that completes words brings this command. */
const COMPLETE = 'complete';

export async function parseCommandLine(given: readonly string[], surroundings: Surroundings): Promise<number> {
  // `kiln help ls` would show the command before its options are loaded.
  const words = given[0] === 'help' ? [...given.slice(1), '--help'] : given;
  const { terminal, signal } = surroundings;
  const isCompletion = words[0] === COMPLETE;
  const listed = isCompletion ? catalog.filter(({ name }) => name !== COMPLETE) : catalog;
  const program = programOf(surroundings, listed);
  try {
    if (isCompletion) await addCompletion(program, useOf(program, surroundings));
    await program.parseAsync(words, { from: 'user' });
    return exitCodes.ok.code;
  } catch (thrown) {
    // Its message is written already. Help and version end with an error, too.
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitCodes.ok.code : exitCodes.usage.code;
    const { exit, message } = await describeFailure(thrown, signal);
    if (message !== '') terminal.err.write(`${paint(terminal.err, 'red', 'error:')} ${cleanText(message)}\n`);
    return exitCodes[exit].code;
  }
}

/** The program with all names. A command loads its options when it is used. */
function programOf(surroundings: Surroundings, listed: readonly Listed[]): Command {
  const { out, err } = surroundings.terminal;
  const program = new Command('kiln')
    .description('Upload files to Kiln, search them, ask questions and follow their processing.')
    .version(VERSION)
    .option('--profile <name>', 'the profile to use (KILN_PROFILE)')
    .option('--url <url>', 'the address of Kiln (KILN_URL)')
    .option('--no-color', 'no colors (NO_COLOR)')
    .helpCommand(true)
    .showHelpAfterError('Add --help for what is possible.')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      getOutHelpWidth: () => out.columns,
      getErrHelpWidth: () => err.columns,
      getOutHasColors: () => out.hasColors,
      getErrHasColors: () => err.hasColors,
    })
    .addHelpText(
      'after',
      `\n${exitCodesHelp()}\n\nThe key is read from KILN_API_KEY, or from the profile that 'kiln login' saves.`,
    );
  const use = useOf(program, surroundings);
  for (const one of listed) add(program, one, use);
  return program;
}

function useOf(program: Command, surroundings: Surroundings): Use {
  let context: Context | undefined;
  return (action) =>
    (...given) =>
      action((context ??= contextOf(surroundings, program.opts<GlobalOptions>())), ...given);
}

function add(parent: Command, listed: Listed, use: Use): void {
  const command = parent.command(listed.name).description(listed.summary);
  if (isGroup(listed)) for (const entry of listed.commands) add(command, entry, use);
  else parent.hook('preSubcommand', (_parent, used) => (used === command ? define(command, listed, use) : undefined));
}

async function define(command: Command, { load }: Entry, use: Use): Promise<void> {
  const module = await load();
  module.define(command, use);
}

/** Completion names all options, so all commands are loaded. */
async function addCompletion(program: Command, use: Use): Promise<void> {
  const { default: complete } = await import('@bomb.sh/tab/commander');
  const definitions = catalog.flatMap((listed) => {
    const command = program.commands.find((one) => one.name() === listed.name);
    if (!command) return [];
    if (!isGroup(listed)) return [define(command, listed, use)];
    return listed.commands.map((entry, at) => define(command.commands[at] ?? command, entry, use));
  });
  await Promise.all(definitions);
  complete(program);
}
