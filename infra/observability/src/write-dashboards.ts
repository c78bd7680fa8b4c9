// `node infra/observability/dist/write-dashboards.js` writes the dashboards to grafana/dashboards.
import { writeFileSync } from 'node:fs';
import { dashboardFiles } from './dashboard-files.js';

for (const { path, text } of dashboardFiles) writeFileSync(path, text);
