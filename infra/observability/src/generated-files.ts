// The files that are made from the dashboards and from the rules.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { parse, stringify } from 'yaml';
import { rulesPath } from './alert-rules.js';
import { allDashboards } from './dashboards/all-dashboards.js';
import { dashboardJson } from './dashboards/dashboard-json.js';

export interface GeneratedFile {
  path: string;
  text: string;
}

export const dashboardsFolder = join(repositoryDirectory, 'infra/observability/grafana/dashboards');

const dashboardFiles: GeneratedFile[] = allDashboards.map((dashboard) => ({
  path: join(dashboardsFolder, `${dashboard.name}.json`),
  text: dashboardJson(dashboard),
}));

const labels = { release: 'prometheus', 'app.kubernetes.io/part-of': 'kiln' };
const prometheusRule = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'kiln', labels },
  spec: parse(readFileSync(rulesPath, 'utf8')) as object,
};
const HEADER = '# Written by infra/observability/dist/write-files.js from infra/observability/prometheus/alerts.yml.\n';

export const generatedFiles: readonly GeneratedFile[] = [
  ...dashboardFiles,
  {
    path: join(repositoryDirectory, 'k8s/components/monitoring/alerts.yaml'),
    text: HEADER + stringify(prometheusRule, { lineWidth: 0 }),
  },
];

export const dashboards = allDashboards.map(({ title, rows }) => ({
  title,
  queries: rows.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(({ expr }) => expr))),
}));
