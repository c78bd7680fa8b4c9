// Records the terminal session in docs/cli.md: runs the command line on a terminal of 80 columns against a whole Kiln, and replaces ids, times
// and addresses, so that a second recording is the same. `npm run docs:cli`, on Linux.
import { repositoryDirectory } from '@kiln/dev';
import { startSystem } from '@kiln/dev/start-system';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { drawContract } from '../citations/draw-contract.js';
import { screenOf } from './screen.js';
import { Replacements } from './replacements.js';

const COMMANDS = [
  'kiln login < .kiln/api-key',
  'kiln up contracts --wait',
  'kiln up contracts',
  'kiln ls --sort filename',
  'kiln ask How must notice of termination be given?',
  'kiln search fired degrees --limit 1',
  'kiln ls --sort filename --json --fields filename,content_type,status',
  'kiln jobs ls --limit 2',
  'kiln usage',
  'kiln get job_1; echo "exit code $?"',
];
const LETTER = '# Letter\n\nThe landlord confirms that the fire brigade has inspected the workshop.\n';
const DOCUMENT = join(repositoryDirectory, 'docs/cli.md');
const BEGIN = '<!-- The session is recorded by `npm run docs:cli`. -->\n\n```console\n';
const END = '```\n\n<!-- The end of the session. -->';

/** The text of the command on a terminal, as it stays there. */
async function run(command: string, folder: string, env: Record<string, string>): Promise<string> {
  const words = ['-qec', `stty cols 80 rows 40; ${command}`, '/dev/null'];
  const { stdout } = await promisify(execFile)('script', words, { cwd: folder, env });
  return screenOf(stdout);
}

async function record(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-session-'));
  const system = await startSystem();
  try {
    await mkdir(join(folder, 'contracts/letters'), { recursive: true });
    await writeFile(join(folder, 'contracts/lease.pdf'), await drawContract());
    await writeFile(join(folder, 'contracts/letters/letter.md'), LETTER);
    await mkdir(join(folder, '.kiln'));
    await writeFile(join(folder, '.kiln/api-key'), system.apiKey);
    const bin = join(folder, 'bin');
    await mkdir(bin);
    const entry = join(repositoryDirectory, 'packages/cli/bin/kiln.js');
    await writeFile(join(bin, 'kiln'), `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`);
    await chmod(join(bin, 'kiln'), 0o755);
    const env = {
      PATH: `${bin}:/usr/bin:/bin`,
      SHELL: '/bin/sh',
      TERM: 'xterm',
      NO_COLOR: '1',
      KILN_URL: system.baseUrl,
      KILN_CONFIG_DIR: join(folder, 'config'),
    };
    const replacements = new Replacements({
      [system.baseUrl]: 'http://127.0.0.1:8080',
      [join(folder, 'config')]: '~/.config/kiln',
    });
    const parts: string[] = [];
    for (const command of COMMANDS) parts.push(`$ ${command}\n${replacements.apply(await run(command, folder, env))}`);
    return parts.join('\n');
  } finally {
    await system.stop();
    await rm(folder, { recursive: true });
  }
}

const document = await readFile(DOCUMENT, 'utf8');
const [before, rest] = document.split(BEGIN);
const [, after] = rest?.split(END) ?? [];
if (before === undefined || after === undefined) throw new Error('docs/cli.md has no place for the session');
await writeFile(DOCUMENT, `${before}${BEGIN}${await record()}${END}${after}`);
console.log('docs/cli.md has the session');
