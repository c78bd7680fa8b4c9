// The JSON that Grafana provisions.
import type { Dashboard, Panel } from './dashboard.js';

const COLUMNS = 24;
const HEIGHT = { timeseries: 8, stat: 5 };
const DATASOURCE = { type: 'prometheus', uid: 'kiln-prometheus' };
const SCHEMA_VERSION = 41;
/** To the other dashboards. */
const LINKS = {
  type: 'dashboards',
  title: 'Kiln',
  tags: ['kiln'],
  asDropdown: true,
  includeVars: false,
  keepTime: true,
  icon: 'external link',
  tooltip: '',
  targetBlank: false,
};
/** The last value, colored by the objective, above its course. */
const STAT_OPTIONS = {
  graphMode: 'area',
  colorMode: 'value',
  justifyMode: 'auto',
  textMode: 'auto',
  wideLayout: true,
  showPercentChange: false,
  percentChangeColorMode: 'standard',
  orientation: 'auto',
  reduceOptions: { values: false, calcs: ['lastNotNull'], fields: '' },
};
const GRAPH_OPTIONS = {
  legend: { showLegend: true, displayMode: 'list', placement: 'bottom', calcs: [] },
  tooltip: { mode: 'multi', sort: 'desc' },
};

export function dashboardJson({ name, title, rows, inputs = [] }: Dashboard): string {
  const panels: object[] = [];
  let y = 0;
  for (const row of rows) {
    panels.push({
      type: 'row',
      title: row.title,
      collapsed: false,
      gridPos: { x: 0, y: y++, w: COLUMNS, h: 1 },
      panels: [],
    });
    const width = COLUMNS / row.panels.length;
    const height = Math.max(...row.panels.map(({ kind }) => HEIGHT[kind]));
    row.panels.forEach((panel, index) => panels.push(panelJson(panel, { x: index * width, y, w: width, h: height })));
    y += height;
  }
  const numbered = panels.map((panel, index) => ({ id: index + 1, ...panel }));
  const dashboard = {
    uid: `kiln-${name}`,
    title: `Kiln: ${title}`,
    tags: ['kiln'],
    schemaVersion: SCHEMA_VERSION,
    editable: false,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    timezone: 'browser',
    annotations: { list: [] },
    links: [LINKS],
    templating: {
      list: inputs.map((input) => ({ type: 'textbox', ...textboxOf(input) })),
    },
    panels: numbered,
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

function textboxOf({ name, label, value }: NonNullable<Dashboard['inputs']>[number]): object {
  return { name, label, query: value, current: { text: value, value } };
}

interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

function panelJson({ title, kind, unit, queries, description, limit }: Panel, gridPos: Place): object {
  const steps = [{ color: 'green', value: null }, ...(limit === undefined ? [] : [{ color: 'red', value: limit }])];
  const line = { custom: { thresholdsStyle: { mode: limit === undefined ? 'off' : 'line' }, fillOpacity: 10 } };
  return {
    type: kind,
    title,
    ...(description !== undefined && { description }),
    datasource: DATASOURCE,
    gridPos,
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource: DATASOURCE,
      expr,
      legendFormat: legend === '' ? '__auto' : legend,
      ...(expr.includes('_bucket') && { exemplar: true }),
    })),
    fieldConfig: {
      defaults: { unit, min: 0, thresholds: { mode: 'absolute', steps }, ...(kind === 'timeseries' && line) },
      overrides: [],
    },
    options: kind === 'timeseries' ? GRAPH_OPTIONS : STAT_OPTIONS,
  };
}
