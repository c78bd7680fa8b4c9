// The data of a command, in the form that its reader needs: a table, tabs or JSON.
import { usageError } from '../exit-codes.js';
import { cleanLine } from './clean.js';
import { paint, paintStatus } from './paint.js';
import { exactText, shortText, shownColumns, writeTable, type Column, type Row } from './table.js';
import type { Terminal } from './terminal.js';

export interface OutputOptions {
  json?: boolean;
  /** Separated by commas. */
  fields?: string;
}

export class Output {
  readonly isJson: boolean;
  /** Whether `--fields` is given. */
  readonly isChosen: boolean;
  readonly #columns: readonly Column[];

  /** Throws a usage error for a field that the command does not have. */
  constructor(
    private readonly terminal: Terminal,
    columns: readonly Column[],
    { json, fields }: OutputOptions,
    private readonly now: Date,
  ) {
    this.isJson = json ?? false;
    this.isChosen = fields !== undefined;
    this.#columns = fields === undefined ? columns : chosen(columns, fields);
  }

  /** Rows in JSON and on a pipe are written as they arrive. Returns their number. */
  async rows(rows: AsyncIterable<Row> | Iterable<Row>): Promise<number> {
    const { out } = this.terminal;
    const collected: Row[] = [];
    let count = 0;
    for await (const row of rows) {
      count += 1;
      if (out.isTerminal && !this.isJson) collected.push(row);
      else this.row(row);
    }
    if (collected.length > 0) writeTable(out, collected, this.#shown(), this.now);
    return count;
  }

  /** A row that does not wait for others. */
  row(row: Row): void {
    if (this.isJson) this.json(row);
    else
      this.terminal.out.write(
        `${this.#shown()
          .map(({ field }) => exactText(row[field]))
          .join('\t')}\n`,
      );
  }

  /** One thing with all its fields, a line for each. */
  object(row: Row): void {
    if (this.isJson) return this.json(row);
    const { out } = this.terminal;
    const width = Math.max(...this.#shown().map(({ field }) => field.length));
    for (const { field, kind } of this.#shown()) {
      const value = row[field];
      if (!out.isTerminal) out.write(`${field}\t${exactText(value)}\n`);
      else {
        const text = shortText(value, { kind }, this.now);
        const name = paint(out, 'dim', field.padEnd(width));
        out.write(`${name}  ${kind === 'status' ? paintStatus(out, text) : text}\n`);
      }
    }
  }

  /** The value, or the fields of `--fields` from the row. */
  json(row: Row, value: object = row): void {
    const chosen = () => Object.fromEntries(this.#columns.map(({ field }) => [field, row[field] ?? null]));
    this.terminal.out.write(`${JSON.stringify(this.isChosen ? chosen() : value)}\n`);
  }

  #shown(): readonly Column[] {
    return this.isChosen ? this.#columns : shownColumns(this.#columns);
  }
}

/** The columns in the order of `--fields`. */
function chosen(columns: readonly Column[], fields: string): Column[] {
  return fields.split(',').map((name) => {
    const column = columns.find(({ field }) => field === name.trim());
    if (column) return column;
    const known = columns.map(({ field }) => field).join(', ');
    throw usageError(`There is no field '${cleanLine(name)}'. Fields: ${known}`);
  });
}
