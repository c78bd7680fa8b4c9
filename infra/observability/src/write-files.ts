// `node infra/observability/dist/write-files.js` writes the dashboards, and the alerts as a resource of the Prometheus operator.
import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.js';

for (const { path, text } of generatedFiles) writeFileSync(path, text);
