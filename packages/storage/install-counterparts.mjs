// Installs stores of other authors for the specs that use them: Go programs, and a Python package, which needs Python.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folder, install, installGoProgram, run } from '../../infra/dev/counterparts.mjs';

const modules = {
  versitygw: 'github.com/versity/versitygw/cmd/versitygw@v1.8.0',
  'fake-gcs-server': 'github.com/fsouza/fake-gcs-server@v1.56.1',
};
const seaweedfs = 'github.com/seaweedfs/seaweedfs v0.0.0-20261109003541-7506e5f91cd6';
const moto = 'moto[server]==5.2.5';

for (const [name, module] of Object.entries(modules)) installGoProgram(name, module);
// Its module replaces others, so it can be built in a module that requires it, but not installed.
install('SeaweedFS', 'bin/weed', () => {
  const module = mkdtempSync(join(tmpdir(), 'kiln-seaweedfs-'));
  const replaced = [
    'github.com/apache/thrift => github.com/apache/thrift v0.23.1-0.20260429145742-d2acd3c49e58',
    'github.com/tyler-smith/go-bip39 => github.com/cosmos/go-bip39 v1.0.0',
  ].map((line) => `replace ${line}\n`);
  writeFileSync(join(module, 'go.mod'), `module build\ngo 1.26\nrequire ${seaweedfs}\n${replaced.join('')}`);
  const words = ['build', '-mod=mod', '-ldflags=-s -w', '-o', join(folder, 'bin/weed')];
  run('go', ['-C', module, ...words, 'github.com/seaweedfs/seaweedfs/weed']);
});
install('moto', 'moto/bin/moto_server', () => {
  run('python3', ['-m', 'venv', join(folder, 'moto')]);
  run(join(folder, 'moto/bin/pip'), ['install', '--quiet', moto]);
});
