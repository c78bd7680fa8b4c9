/** Writes the values of a chart: its title, its kind, and a table. */
import { element, plainTable } from '../html/build-html.js';
import type { HtmlElement } from '../html/html-node.js';

/** The table of a chart may have so many cells for each value. */
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
  /** By the index of the values. */
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

/** A column for each series. Where that would be mostly empty, a row for each value. */
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
