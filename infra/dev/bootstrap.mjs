// The first half of `npm start` and `npm test`. It runs before dependencies are installed, so it is plain JavaScript and imports
// nothing that must be installed or built. It installs if the lock file changed, and builds changed code. The Node that Kiln runs on
// is one of the dependencies: npm puts node_modules/.bin first in the PATH, so every later `node` is that one.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeChange } from './node-change.mjs';

const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { packageManager, engines } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const minimumNode = engines.node.replace('>=', '');
const installedNode = join(repository, 'node_modules/.bin/node');
/** Relative to the folder of the installed one. */
const packagedNode = `../node-${process.platform}-${process.arch}/bin/node`;
const stampPath = join(repository, 'node_modules/.kiln-installed');

requireNode('20.19', 'to install Kiln');
install();
announceNode();
build();

function install() {
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

function announceNode() {
  // It did not run at an earlier start. What it lacked may have been installed since.
  const isPackaged = existsSync(join(dirname(installedNode), packagedNode));
  if (isPackaged && !existsSync(installedNode)) symlinkSync(packagedNode, installedNode);
  // No Node is published as a package for this platform.
  if (!existsSync(installedNode)) return requireNode(minimumNode, 'on this platform');
  const { status, stdout, stderr, error } = spawnSync(installedNode, ['-p', 'process.versions.node'], {
    encoding: 'utf8',
  });
  if (status !== 0) return useNodeOfMachine((stderr || String(error)).trim());
  const change = nodeChange(process.versions.node, stdout.trim());
  if (change) say(change);
}

/** Node 25 and newer need the library libatomic, which slim systems lack. */
function useNodeOfMachine(reason) {
  const advice = reason.includes('libatomic') ? ' Install the library with: apt-get install libatomic1' : '';
  requireNode(minimumNode, `because the Node in node_modules does not run here (${reason}).${advice}`);
  rmSync(installedNode);
  say(
    `running on Node ${process.versions.node} of this machine; the one in node_modules does not run here (${reason}).${advice}`,
  );
}

function requireNode(version, purpose) {
  const [major, minor] = version.split('.').map(Number);
  const [haveMajor, haveMinor] = process.versions.node.split('.').map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  fail(`This is Node ${process.versions.node} (${process.execPath}). Kiln needs ${version} or newer ${purpose}.`);
}

function build() {
  const isFirst = !existsSync(new URL('./dist/main.js', import.meta.url));
  if (isFirst) say('building');
  run(join(repository, 'node_modules/.bin/tsc'), ['-b']);
  for (const site of ['console', 'portal']) {
    run(existsSync(installedNode) ? installedNode : process.execPath, [`packages/${site}/build-site.mjs`]);
  }
  if (isFirst) say('built');
}

/** Returns the command's output. On failure, prints it and exits. */
function run(command, words) {
  const result = spawnSync(command, words, { cwd: repository, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (result.status === 0) return result.stdout.trim();
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
