// Installs optional programs of other authors for the specs. They are kept in the cache of the user, so that all clones share them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const folder = join(homedir(), '.cache/kiln/counterparts');

/** Does the work unless `place` exists in the folder. A failure does not end the script, so that the other programs are installed. */
export function install(name, place, work) {
  if (existsSync(join(folder, place))) return console.log(`${name} is installed`);
  try {
    mkdirSync(folder, { recursive: true });
    work();
    console.log(`installed ${name}`);
  } catch (error) {
    console.log(`${name} was not installed: ${error.message}`);
    process.exitCode = 1;
  }
}

export const run = (program, words) => execFileSync(program, words, { stdio: 'inherit' });

/** Needs Go. */
export function installGoProgram(name, module, options = []) {
  install(name, `bin/${name}`, () => run('env', [`GOBIN=${folder}/bin`, 'go', 'install', ...options, module]));
}
