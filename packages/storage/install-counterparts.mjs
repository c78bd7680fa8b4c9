// Installs stores of other authors for the specs that use them: Go programs, and a Python package, which needs Python.
import { join } from 'node:path';
import { folder, install, installGoProgram, run } from '../../infra/dev/counterparts.mjs';

const modules = {
  versitygw: 'github.com/versity/versitygw/cmd/versitygw@v1.8.0',
  'fake-gcs-server': 'github.com/fsouza/fake-gcs-server@v1.56.1',
};
const moto = 'moto[server]==5.2.5';

for (const [name, module] of Object.entries(modules)) installGoProgram(name, module);
install('moto', 'moto/bin/moto_server', () => {
  run('python3', ['-m', 'venv', join(folder, 'moto')]);
  run(join(folder, 'moto/bin/pip'), ['install', '--quiet', moto]);
});
