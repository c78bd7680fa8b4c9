// Installs stores of other authors for the specs that use them: Go programs, which need Go, and a Python package, which needs Python. Each is
// optional. They are kept in the cache of the user, so that all clones share them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const folder = join(homedir(), '.cache/kiln/counterparts');
const modules = {
  versitygw: 'github.com/versity/versitygw/cmd/versitygw@v1.8.0',
  'fake-gcs-server': 'github.com/fsouza/fake-gcs-server@v1.56.1',
};
const moto = 'moto[server]==5.2.5';

mkdirSync(folder, { recursive: true });
const run = (program, words) => execFileSync(program, words, { stdio: 'inherit' });
const say = (text) => process.stdout.write(`${text}\n`);

function install(name, place, work) {
  if (existsSync(join(folder, place))) return say(`${name} is installed`);
  try {
    work();
    say(`installed ${name}`);
  } catch (error) {
    say(`${name} was not installed: ${error.message}`);
    process.exitCode = 1;
  }
}

for (const [name, module] of Object.entries(modules)) {
  install(name, `bin/${name}`, () => run('env', [`GOBIN=${join(folder, 'bin')}`, 'go', 'install', module]));
}
install('moto', 'moto/bin/moto_server', () => {
  run('python3', ['-m', 'venv', join(folder, 'moto')]);
  run(join(folder, 'moto/bin/pip'), ['install', '--quiet', moto]);
});
