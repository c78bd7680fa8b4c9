/** The parts that all kinds of charts share: titles, points, and the table of their values. */
import { element, plainTable } from '../html/build-html.js';
import type { HtmlElement } from '../html/html-node.js';
import { attributeOf, childrenNamed, descend, descendants, textOf, type XmlElement } from '../xml/xml-tree.js';

/** The table of a chart may have this many cells for each value. */
const emptyShareMax = 4;
const smallTableCells = 100;
const nameCharacters = 500;
/** The levels of categories that are read. With the length of names, it bounds by how much they make a text longer. */
const levelsMax = 5;
const outerNameCharacters = 100;

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

/**
 * The text of each point, by its index. The file has the innermost level of categories first. It is written last. A category of an outer
 * level has one point in the file, and applies to all that follow up to the next (`Europe`: `France`, `Spain`).
 */
export function pointTexts(
  levels: readonly XmlElement[],
  read: (point: XmlElement, level: XmlElement) => string,
): ReadonlyMap<number, string> {
  const points = levels
    .slice(0, levelsMax)
    .toReversed()
    .flatMap((level, depth) => {
      const all = childrenNamed(level, 'pt');
      return all.map((point) => ({ index: Number(attributeOf(point, 'idx')), depth, text: read(point, level) }));
    })
    .toSorted((left, right) => left.index - right.index || left.depth - right.depth);
  const texts = new Map<number, string>();
  const outer: string[] = [];
  for (const { index, depth, text } of points) {
    outer.length = depth;
    texts.set(index, [...outer.filter((name) => name !== ''), text].join(' ').trimEnd());
    outer[depth] = text.slice(0, outerNameCharacters);
  }
  return texts;
}
