/** The parts that all kinds of charts share: titles, points, and the table of their values. */
import { element, plainTable } from '../html/build-html.js';
import type { HtmlElement } from '../html/html-node.js';
import { attributeOf, childrenNamed, descend, descendants, textOf, type XmlElement } from '../xml/xml-tree.js';

/** The table of a chart may have this many cells for each value. */
const emptyShareMax = 4;
const smallTableCells = 100;
const nameCharacters = 500;

/** The values of one column of the table, by their index. */
export interface Series {
  name: string;
  values: ReadonlyMap<number, string>;
}

export interface ChartValues {
  title: string;
  kind: string;
  /** Keys are the indices of the values. */
  categories: ReadonlyMap<number, string>;
  columns: readonly Series[];
}

export function chartBlocks({ title, kind, categories, columns }: ChartValues): HtmlElement[] {
  return [
    ...(title === '' ? [] : [element('p', [title])]),
    element('p', [kind]),
    ...(columns.length === 0 ? [] : [tableOf(categories, columns)]),
  ];
}

/** The table has a column for each series. If it would be mostly empty, it has a row for each value. */
function tableOf(categories: ReadonlyMap<number, string>, columns: readonly Series[]): HtmlElement {
  const indices = new Set([...categories.keys(), ...columns.flatMap(({ values }) => [...values.keys()])]);
  const points = columns.reduce((total, { values }) => total + values.size, 0);
  if (indices.size * columns.length > emptyShareMax * points + smallTableCells) {
    const values = columns.flatMap((series) =>
      [...series.values].map(([index, value]) => [
        categories.get(index) ?? '',
        series.name.slice(0, nameCharacters),
        value,
      ]),
    );
    return plainTable([['', '', ''], ...values]);
  }
  const rows = [...indices]
    .toSorted((left, right) => left - right)
    .map((index) => [categories.get(index) ?? '', ...columns.map(({ values }) => values.get(index) ?? '')]);
  return plainTable([['', ...columns.map(({ name }) => name)], ...rows]);
}

/** The text that was typed, or else the text of the cell at the path `cell`. */
export function titleText(title: XmlElement | null, ...cell: readonly string[]): string {
  const runs = title === null ? [] : [...descendants(title, 't')];
  const text = runs.length > 0 ? runs.map(textOf).join('') : textOf(descend(title, ...cell));
  return text.replace(/\s+/g, ' ').trim();
}

/** The text of each point, by its index. The file has the innermost level of categories first. It is written last. */
export function pointTexts(
  levels: readonly XmlElement[],
  read: (point: XmlElement, level: XmlElement) => string,
): ReadonlyMap<number, string> {
  const points = new Map<number, string>();
  for (const level of levels.toReversed()) {
    for (const point of childrenNamed(level, 'pt')) {
      const index = Number(attributeOf(point, 'idx'));
      const [outer = '', text] = [points.get(index), read(point, level)];
      points.set(index, outer === '' ? text : `${outer} ${text}`);
    }
  }
  return points;
}
