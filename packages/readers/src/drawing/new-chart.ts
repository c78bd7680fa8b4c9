/** The kinds of charts that Office has had since 2016: waterfall, treemap, histogram, … ([MS-ODRAWXML], 2.24.3). */
import type { HtmlElement } from '../html/html-node.js';
import { formatNumber, formatOfCode } from '../spreadsheet/number-format.js';
import {
  attributeOf,
  childOf,
  childrenNamed,
  descend,
  descendants,
  elementsOf,
  textOf,
  type XmlElement,
} from '../xml/xml-tree.js';
import { chartBlocks, type Series } from './chart-table.js';

const kinds: Readonly<Record<string, string>> = {
  boxWhisker: 'Box plot',
  clusteredColumn: 'Histogram',
  funnel: 'Funnel chart',
  paretoLine: 'Pareto chart',
  regionMap: 'Map',
  sunburst: 'Sunburst chart',
  treemap: 'Treemap',
  waterfall: 'Waterfall chart',
};

export function newChartContent(chartSpace: XmlElement): HtmlElement[] {
  const chart = childOf(chartSpace, 'chart');
  const series = childrenNamed(descend(chart, 'plotArea', 'plotAreaRegion'), 'series');
  const data = new Map(
    childrenNamed(childOf(chartSpace, 'chartData'), 'data').map((set) => [attributeOf(set, 'id') ?? '', set]),
  );
  // The line of a Pareto chart has no data of its own.
  const read = series.flatMap((one): [XmlElement, Series][] => {
    const set = data.get(attributeOf(childOf(one, 'dataId'), 'val') ?? '');
    data.delete(attributeOf(childOf(one, 'dataId'), 'val') ?? '');
    return set === undefined ? [] : [[set, { name: nameOf(one), values: valuesOf(set) }]];
  });
  const [first] = read;
  const layouts = series.map((one) => attributeOf(one, 'layoutId') ?? '');
  const kind = layouts.includes('paretoLine') ? 'paretoLine' : (layouts[0] ?? '');
  return chartBlocks({
    title: textIn(childOf(chart, 'title')),
    kind: (Object.hasOwn(kinds, kind) ? kinds[kind] : undefined) ?? 'Chart',
    categories: first === undefined ? new Map() : pointsOf(childOf(first[0], 'strDim')),
    columns: read.map(([, column]) => column),
  });
}

function nameOf(series: XmlElement): string {
  return textIn(childOf(series, 'tx'));
}

/** The text that was typed, or that of the cell it refers to. */
function textIn(title: XmlElement | null): string {
  const tx = childOf(title, 'tx') ?? title;
  const runs = tx === null ? [] : [...descendants(tx, 't')];
  const text = runs.length > 0 ? runs.map(textOf).join('') : textOf(descend(tx, 'txData', 'v'));
  return text.replace(/\s+/g, ' ').trim();
}

function valuesOf(set: XmlElement): ReadonlyMap<number, string> {
  const dimensions = childrenNamed(set, 'numDim');
  return pointsOf(dimensions.find((one) => attributeOf(one, 'type') === 'val') ?? dimensions[0] ?? null);
}

/** The inner level of categories comes first, the outer ones after it. */
function pointsOf(dimension: XmlElement | null): ReadonlyMap<number, string> {
  const points = new Map<number, string>();
  for (const level of childrenNamed(dimension, 'lvl').toReversed()) {
    const format = dimension?.local === 'numDim' ? formatOfCode(attributeOf(level, 'formatCode') ?? '') : null;
    for (const point of elementsOf(level)) {
      const index = Number(attributeOf(point, 'idx'));
      const text = textOf(point).trim();
      const shown = format === null ? text : formatNumber(text, format);
      const outer = points.get(index);
      points.set(index, outer === undefined || outer === '' ? shown : `${outer} ${shown}`);
    }
  }
  return points;
}
