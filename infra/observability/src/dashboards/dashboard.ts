// A dashboard of Grafana as data: rows of panels, each with its queries.
// https://grafana.com/docs/grafana/latest/visualizations/dashboards/build-dashboards/view-dashboard-json-model/

/** A unit of Grafana: `s`, `bytes`, `percentunit`, `reqps`, `short`. */
export type Unit = 's' | 'bytes' | 'Bps' | 'percentunit' | 'reqps' | 'short';

export interface Query {
  expr: string;
  /** The name of each series, e.g. `{{service}}`. */
  legend: string;
}

export interface Panel {
  title: string;
  kind: 'timeseries' | 'stat';
  unit: Unit;
  queries: readonly Query[];
  description?: string;
  /** The value that the objective allows. */
  limit?: number;
}

export interface Dashboard {
  /** The name of the file, and the address in Grafana: `/d/kiln-<name>`. */
  name: string;
  title: string;
  rows: readonly { title: string; panels: readonly Panel[] }[];
  /** Numbers that the reader can change, e.g. prices. Queries use them as `$name`. */
  inputs?: readonly { name: string; label: string; value: string }[];
}

type PanelOptions = Pick<Panel, 'description' | 'limit'>;

export const query = (expr: string, legend = ''): Query => ({ expr, legend });

const panelOf =
  (kind: Panel['kind']) =>
  (title: string, unit: Unit, queries: readonly Query[], options: PanelOptions = {}): Panel => ({
    title,
    kind,
    unit,
    queries,
    ...options,
  });

export const graph = panelOf('timeseries');
export const stat = panelOf('stat');

/** The quantile of a histogram, by labels. */
export const quantile = (share: number, metric: string, by: readonly string[] = []): string =>
  `histogram_quantile(${share}, sum by (${['le', ...by].join(', ')}) (rate(${metric}_bucket[$__rate_interval])))`;

export const rate = (metric: string, by: readonly string[] = []): string =>
  `sum${by.length === 0 ? '' : ` by (${by.join(', ')})`} (rate(${metric}[$__rate_interval]))`;
