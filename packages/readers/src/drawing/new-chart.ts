/** The kinds of charts that Office has had since 2016: waterfall, treemap, histogram, … ([MS-ODRAWXML], 2.24.3). */
import type { HtmlElement } from '../html/html-node.js';
import { formatNumber, formatOfCode } from '../spreadsheet/number-format.js';
import { attributeOf, childOf, childrenNamed, descend, textOf, type XmlElement } from '../xml/xml-tree.js';
import { chartBlocks, pointTexts, type Series, titleText } from './chart-table.js';

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
  // The line of a Pareto chart has no own data.
  const read = series.flatMap((one): [XmlElement, Series][] => {
    const set = data.get(attributeOf(childOf(one, 'dataId'), 'val') ?? '');
    data.delete(attributeOf(childOf(one, 'dataId'), 'val') ?? '');
    return set === undefined ? [] : [[set, { name: textIn(childOf(one, 'tx')), values: valuesOf(set) }]];
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

/** Titles and names stand in a `tx` or directly in the element. */
function textIn(title: XmlElement | null): string {
  return titleText(childOf(title, 'tx') ?? title, 'txData', 'v');
}

function valuesOf(set: XmlElement): ReadonlyMap<number, string> {
  const dimensions = childrenNamed(set, 'numDim');
  return pointsOf(dimensions.find((one) => attributeOf(one, 'type') === 'val') ?? dimensions[0] ?? null);
}

function pointsOf(dimension: XmlElement | null): ReadonlyMap<number, string> {
  return pointTexts(childrenNamed(dimension, 'lvl'), (point, level) => {
    const text = textOf(point).trim();
    if (dimension?.local !== 'numDim') return text;
    return formatNumber(text, formatOfCode(attributeOf(level, 'formatCode') ?? ''));
  });
}
