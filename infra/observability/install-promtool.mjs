// Installs Prometheus' checker of rules for the specs of the alerts. `install-promtool.mjs prometheus` also installs the server, to try queries.
import { installGoProgram } from '../dev/counterparts.mjs';

const VERSION = 'v0.316.0'; // 3.16.0 as a Go module

for (const name of ['promtool', ...process.argv.slice(2)]) {
  // Without the discovery of targets in clouds, it is built in a minute.
  installGoProgram(name, `github.com/prometheus/prometheus/cmd/${name}@${VERSION}`, ['-tags', 'remove_all_sd']);
}
