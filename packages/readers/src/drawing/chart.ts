/** Reads a chart of an Office file (ISO/IEC 29500-1, 21.2) as its title and the table of its values. */
import { element, elementWith } from '../html/build-html.js';
import type { HtmlElement } from '../html/html-node.js';
import { formatNumber, formatOfCode } from '../spreadsheet/number-format.js';
import { attributeOf, childOf, childrenNamed, descend, elementsOf, textOf, type XmlElement } from '../xml/xml-tree.js';
import { chartBlocks, pointTexts, type Series, titleText } from './chart-table.js';
import { newChartContent } from './new-chart.js';

const kinds: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^bar/, 'Bar chart'],
  [/^line/, 'Line chart'],
  [/^(?:pie|ofPie|circle)/, 'Pie chart'],
  [/^(?:doughnut|ring)/, 'Doughnut chart'],
  [/^area/, 'Area chart'],
  [/^scatter/, 'Scatter chart'],
  [/^bubble/, 'Bubble chart'],
  [/^(?:radar|filled-radar)/, 'Radar chart'],
  [/^stock/, 'Stock chart'],
  [/^surface/, 'Surface chart'],
];

export function chartContent(chartSpace: XmlElement): HtmlElement[] {
  if (childOf(chartSpace, 'chartData') !== null) return newChartContent(chartSpace);
  const chart = childOf(chartSpace, 'chart');
  const plotArea = childOf(chart, 'plotArea');
  const plots = plotArea === null ? [] : [...elementsOf(plotArea)].filter(({ local }) => local.endsWith('Chart'));
  const all = plots.flatMap((plot) => childrenNamed(plot, 'ser'));
  return chartBlocks({
    title: titleText(descend(chart, 'title', 'tx'), 'strRef', 'strCache'),
    kind: chartKind(plots[0]?.local ?? ''),
    categories: categoriesOf(all),
    columns: all.map(readSeries),
  });
}

/** `barChart`, or `bar` in OpenDocument → `Bar chart` */
export function chartKind(name: string): string {
  return kinds.find(([pattern]) => pattern.test(name))?.[1] ?? 'Chart';
}

function readSeries(series: XmlElement): Series {
  const name = textOf(descend(series, 'tx', 'strRef', 'strCache')) || textOf(descend(series, 'tx', 'v'));
  return { name: name.trim(), values: pointsOf(childOf(series, 'val') ?? childOf(series, 'yVal')) };
}

/** The categories of the first series that has any. The other series repeat them. */
function categoriesOf(all: readonly XmlElement[]): ReadonlyMap<number, string> {
  for (const series of all) {
    const found = pointsOf(childOf(series, 'cat') ?? childOf(series, 'xVal'));
    if (found.size > 0) return found;
  }
  return new Map();
}

function pointsOf(data: XmlElement | null): ReadonlyMap<number, string> {
  const [source] = data === null ? [] : elementsOf(data);
  const cache =
    source === undefined
      ? null
      : (childOf(source, 'numCache') ?? childOf(source, 'strCache') ?? childOf(source, 'multiLvlStrCache') ?? source);
  if (cache === null) return new Map();
  const levels = childrenNamed(cache, 'lvl');
  const formatCode = cache.local.startsWith('num') ? textOf(childOf(cache, 'formatCode')) : null;
  return pointTexts(levels.length === 0 ? [cache] : levels, (point) => valueOf(point, formatCode));
}

/** `formatCode` is the number format of all points. It is null for text. */
function valueOf(point: XmlElement, formatCode: string | null): string {
  const text = textOf(childOf(point, 'v')).trim();
  if (formatCode === null) return text;
  return formatNumber(text, formatOfCode(attributeOf(point, 'formatCode') ?? formatCode));
}

/** A picture without a source: only its description is written. */
export function picture(description: string): HtmlElement {
  return element('p', [elementWith('img', { alt: description })]);
}
