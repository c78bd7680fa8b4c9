// All commands, their help, and what starts with them.
import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { catalog, isGroup } from './catalog.js';
import { exitCodes, exitCodesHelp } from './exit-codes.js';
import { runKiln } from './fixtures/run-kiln.js';

const commands = catalog.flatMap((listed) =>
  isGroup(listed) ? listed.commands.map(({ name }) => `${listed.name} ${name}`) : [listed.name],
);
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');

it.each(commands)('kiln %s has help of at most 80 columns, also by `kiln help`', async (name) => {
  const path = name.split(' ');
  const { exit, out, err } = await runKiln([...path, '--help'], { isTerminal: true });
  expect([exit, err]).toStrictEqual([0, '']);
  expect(out).toMatch(new RegExp(`^Usage: kiln ${name} `));
  const long = out.split('\n').filter((line) => line.length > 80);
  expect(long).toStrictEqual([]);
  if (path[0] !== 'complete') expect((await runKiln(['help', ...path], { isTerminal: true })).out).toBe(out);
});

it('no command has an option for a key', async () => {
  for (const name of commands) {
    const { out } = await runKiln([...name.split(' '), '--help']);
    expect(out).not.toMatch(/--(api-?key|token|secret)/);
  }
});

it('the help and docs/cli.md have the table of exit codes', async () => {
  expect((await runKiln(['--help'])).out).toContain(exitCodesHelp());
  const documented = read('../../../docs/cli.md');
  for (const { code, means } of Object.values(exitCodes))
    expect(documented).toMatch(new RegExp(`^\\| ${code} +\\| ${means.replaceAll('.', '\\.')} +\\|$`, 'm'));
});

it('a wrong command or option ends with 2', async () => {
  for (const words of [['nope'], ['ls', '--nope'], ['ls', '--limit', '0'], ['jobs'], ['up']])
    expect([words, (await runKiln(words)).exit]).toStrictEqual([words, 2]);
});

/** The modules that the program loads. */
function modulesOf(...words: string[]): string[] {
  const bin = fileURLToPath(new URL('../bin/kiln.js', import.meta.url));
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context)) });`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, bin, ...words];
  const { stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status).toBe(0);
  return stderr.split('\n').filter((line) => line.startsWith('file:'));
}

it('kiln --version and kiln --help load neither a command nor the SDK nor prompts', () => {
  for (const words of [['--version'], ['--help']]) {
    const modules = modulesOf(...words);
    expect(modules.length).toBeGreaterThan(5);
    expect(modules.filter((url) => /\/commands\/|\/sdk\/|clack/.test(url))).toStrictEqual([]);
  }
});

it('completes commands, options and their values', () => {
  const bin = fileURLToPath(new URL('../bin/kiln.js', import.meta.url));
  const complete = (...words: string[]) =>
    spawnSync(process.execPath, [bin, 'complete', '--', ...words], { encoding: 'utf8' }).stdout;
  expect(complete('jobs', 're')).toContain('retry\t');
  expect(complete('ls', '--st')).toContain('--status\t');
  expect(complete('ls', '--status', 'fa')).toContain('failed');
});
