// Installs Prometheus' checker of rules for the specs of the alerts, a Go program, which needs Go. It is optional, and kept in the cache of
// the user, so that all clones share it. `install-promtool.mjs prometheus` also installs the server, to try queries.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const VERSION = 'v0.316.0'; // 3.16.0 as a Go module
const folder = join(homedir(), '.cache/kiln/counterparts/bin');

mkdirSync(folder, { recursive: true });
for (const name of ['promtool', ...process.argv.slice(2)]) {
  if (existsSync(join(folder, name))) {
    process.stdout.write(`${name} is installed\n`);
    continue;
  }
  const module = `github.com/prometheus/prometheus/cmd/${name}@${VERSION}`;
  // Without the discovery of targets in clouds, it is built in a minute.
  execFileSync('env', [`GOBIN=${folder}`, 'go', 'install', '-tags', 'remove_all_sd', module], { stdio: 'inherit' });
  process.stdout.write(`installed ${name}\n`);
}
