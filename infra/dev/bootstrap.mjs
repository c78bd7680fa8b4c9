// The entry point of `npm start` and `npm test`. It runs before dependencies are installed, so it is plain JavaScript and imports
// only Node's modules. It installs if the lock file changed, builds changed code, and continues in the same process.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const entries = { start: './dist/main.js', test: './dist/test-run/main.js' };
const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const stampPath = join(repository, 'node_modules/.kiln-installed');

const entry = entries[process.argv[2]];
if (entry === undefined) fail('Usage: node infra/dev/bootstrap.mjs start | test [step ...]');
requireNode(20, 19);
install();
build();
await import(entry);

function requireNode(major, minor) {
  const [haveMajor, haveMinor] = process.versions.node.split('.').map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  fail(`Kiln needs Node ${major}.${minor} or newer; this is ${process.versions.node} (${process.execPath}).`);
}

function install() {
  const { packageManager } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const lock = readFileSync(join(repository, 'pnpm-lock.yaml'));
  const stamp = createHash('sha256').update(packageManager).update(lock).digest('hex');
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp) return;
  say('installing dependencies');
  // npx has fetched the pinned pnpm, so pnpm must not look for that version. It must never prompt.
  const settings = ['--config.pmOnFail=ignore', '--config.confirmModulesPurge=false'];
  run('npx', ['-y', packageManager, 'install', '--frozen-lockfile', ...settings]);
  writeFileSync(stampPath, stamp);
  say('dependencies installed');
}

function build() {
  const isFirst = !existsSync(new URL(entry, import.meta.url));
  if (isFirst) say('building');
  run(join(repository, 'node_modules/.bin/tsc'), ['-b']);
  if (isFirst) say('built');
}

/** Prints nothing on success. On failure, prints the command's output and exits. */
function run(command, words) {
  const result = spawnSync(command, words, { cwd: repository, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (result.status === 0) return;
  if (result.signal === 'SIGINT') process.exit(130);
  console.error(`${result.stdout ?? ''}${result.stderr ?? ''}`.trimEnd());
  fail(
    `Failed: ${command} ${words.join(' ')} (${result.error?.message ?? result.signal ?? `exit code ${result.status}`})`,
  );
}

function say(line) {
  console.log(`${(performance.now() / 1000).toFixed(1).padStart(5)}s  ${line}`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
