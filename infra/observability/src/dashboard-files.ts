// The generated files of the dashboards, and their queries.
import { join } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { allDashboards } from './dashboards/all-dashboards.js';
import { dashboardJson } from './dashboards/dashboard-json.js';

export const dashboardsFolder = join(repositoryDirectory, 'infra/observability/grafana/dashboards');

export const dashboardFiles = allDashboards.map((dashboard) => ({
  path: join(dashboardsFolder, `${dashboard.name}.json`),
  text: dashboardJson(dashboard),
}));

export const dashboards = allDashboards.map(({ title, rows }) => ({
  title,
  queries: rows.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(({ expr }) => expr))),
}));
