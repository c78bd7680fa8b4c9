// Rows as a table on a terminal, as lines with tabs on a pipe.
import truncate from 'fast-string-truncated-width';
import { cleanLine, cleanText } from './clean.js';
import { formatBytes, formatTime } from './format.js';
import { paint, paintStatus } from './paint.js';
import type { Channel } from './terminal.js';

export interface Column {
  /** The name of the field, in JSON and for `--fields`. */
  field: string;
  title: string;
  /** An `id` is never cut. */
  kind?: 'text' | 'id' | 'bytes' | 'time' | 'number' | 'status';
  /** Shown only if `--fields` names it. */
  isExtra?: boolean;
}

export type Row = Readonly<Record<string, unknown>>;

/** The characters that end a field or a line. Other spaces can be part of a name. */
const ENDS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** The value without rounding, on one line. */
export function exactText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return cleanText((typeof value === 'string' ? value : JSON.stringify(value)).replace(ENDS, ' '));
}

export const shownColumns = (columns: readonly Column[]) => columns.filter(({ isExtra }) => isExtra !== true);

/** A value as people read it. */
export function shortText(value: unknown, { kind }: Pick<Column, 'kind'>, now: Date): string {
  if (value === null || value === undefined) return '-';
  if (kind === 'bytes') return formatBytes(Number(value));
  if (kind === 'time') return formatTime(value as string, now);
  return cleanLine(Array.isArray(value) ? value.join(', ') : exactText(value));
}

const GAP = '  ';
/** No column is made narrower than this, even if the lines then are longer than the terminal. */
const WIDTH_MIN = 8;

export function writeTable(channel: Channel, rows: readonly Row[], columns: readonly Column[], now: Date): void {
  const texts = rows.map((row) => columns.map((column) => shortText(row[column.field], column, now)));
  const widths = columns.map(({ title }, at) =>
    texts.reduce((widest, cells) => Math.max(widest, widthOf(cells[at] ?? '')), title.length),
  );
  fit(widths, columns, channel.columns - GAP.length * (columns.length - 1));
  const lineOf = (cells: readonly string[], isHeading: boolean) =>
    cells
      .map((cell, at) => {
        const { kind } = columns[at] ?? {};
        const isLast = at === cells.length - 1;
        const text = padded(cell, widths[at] ?? 0, kind === 'bytes' || kind === 'number', isLast);
        return !isHeading && kind === 'status' ? paintStatus(channel, text) : text;
      })
      .join(GAP);
  channel.write(`${paint(channel, 'bold', lineOf(titlesOf(columns), true))}\n`);
  for (const cells of texts) channel.write(`${lineOf(cells, false)}\n`);
}

const titlesOf = (columns: readonly Column[]) => columns.map(({ title }) => title);

/** The width on the terminal, where some characters take two columns. */
export const widthOf = (text: string): number => truncate(text).width;

/** Cuts the text to the width, with an ellipsis. */
export function cut(text: string, width: number): string {
  const { index, truncated } = truncate(text, { limit: width, ellipsis: '…', ellipsisWidth: 1 });
  return truncated ? `${text.slice(0, index)}…` : text;
}

function padded(cell: string, width: number, isRight: boolean, isLast: boolean): string {
  const text = cut(cell, width);
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  if (isRight) return space + text;
  return isLast ? text : text + space;
}

/** Makes the widest column narrower until the line fits. Numbers, times and ids stay. */
function fit(widths: number[], columns: readonly Column[], available: number): void {
  const flexible = columns.flatMap(({ kind = 'text' }, at) => (kind === 'text' ? [at] : []));
  const widthAt = (at: number) => widths[at] ?? 0;
  for (let excess = widths.reduce((sum, width) => sum + width, 0) - available; excess > 0; excess -= 1) {
    const widest = flexible.reduce((one, other) => (widthAt(other) > widthAt(one) ? other : one), flexible[0] ?? 0);
    if (flexible.length === 0 || widthAt(widest) <= WIDTH_MIN) return;
    widths[widest] = widthAt(widest) - 1;
  }
}
