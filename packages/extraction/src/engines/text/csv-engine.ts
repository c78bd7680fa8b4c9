import { CsvError, parse } from 'csv-parse';
import { ExtractionError } from '../../extraction-error.js';
import { formatBytes } from '../../limits.js';
import { escapeCell } from '../../text/escape-markdown.js';
import type { Engine } from '../engine.js';
import { readText } from './read-text.js';
import { type Delimiter, sniffDelimiter } from './sniff-delimiter.js';

/** Characters per call of the parser, which keeps the rows of a call in memory. */
const sliceCharacters = 1 << 18;
const namedColumnsMax = 200;
const nameCharactersMax = 200;

/** Writes one GFM table with the first row as its header. Short rows are padded. */
export const extractCsv: Engine = async (input, signal) => {
  const { text, encoding } = await readText(input);
  const delimiter = sniffDelimiter(text, input.contentType);
  const rows = new TableRows(input.filename, input.limits.outputBytesMax);
  try {
    await readRows(text, delimiter, true, rows, signal);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // A quote is never closed, so the file uses quotes as plain characters. Parse again without quoting.
    rows.clear();
    await readRows(text, delimiter, false, rows, signal);
  }
  const details = {
    encoding,
    delimiter,
    row_count: Math.max(rows.count - 1, 0),
    column_count: rows.width,
    column_names: rows.names,
  };
  return { markdown: rows.render(), pages: null, pageCount: null, title: null, author: null, language: null, details };
};

async function readRows(
  text: string,
  delimiter: Delimiter,
  quotes: boolean,
  rows: TableRows,
  signal: AbortSignal,
): Promise<void> {
  const parser = parse({
    delimiter,
    quote: quotes ? '"' : null,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: 16 * 1024 * 1024,
  });
  const feed = async (): Promise<void> => {
    for (let start = 0; start < text.length; start += sliceCharacters) {
      signal.throwIfAborted();
      if (!parser.write(text.slice(start, start + sliceCharacters)))
        await new Promise<void>((resolve) => parser.once('drain', resolve));
    }
    parser.end();
  };
  const fed = feed();
  for await (const record of parser) rows.add(record as string[]);
  await fed;
}

/** Stores rows as lines of text, which need a tenth of the memory of arrays of cells. */
class TableRows {
  width = 0;
  /** The cells of the first row. Metadata holds a part of them. */
  names: string[] = [];
  private lines: string[] = [];
  private widths: number[] = [];
  private characters = 0;
  private readonly filename: string;
  private readonly outputBytesMax: number;

  constructor(filename: string, outputBytesMax: number) {
    this.filename = filename;
    this.outputBytesMax = outputBytesMax;
  }

  get count(): number {
    return this.lines.length;
  }

  clear(): void {
    this.lines = [];
    this.widths = [];
    this.names = [];
    this.width = 0;
    this.characters = 0;
  }

  add(cells: readonly string[]): void {
    if (this.count === 0) this.names = cells.slice(0, namedColumnsMax).map((name) => name.slice(0, nameCharactersMax));
    const line = cells.map(escapeCell).join(' | ');
    this.lines.push(line);
    this.widths.push(cells.length);
    this.width = Math.max(this.width, cells.length);
    this.characters += line.length;
    this.assertSize(this.characters);
  }

  render(): string {
    if (this.count === 0) return '';
    const padding = this.widths.reduce((total, width) => total + (this.width - width) * 3, 0);
    this.assertSize(this.characters + padding + this.width * 6);
    const rendered = this.lines.map(
      (line, index) => `| ${line}${' | '.repeat(this.width - (this.widths[index] ?? 0))} |`,
    );
    rendered.splice(1, 0, `|${' --- |'.repeat(this.width)}`);
    return `${rendered.join('\n')}\n`;
  }

  private assertSize(characters: number): void {
    if (characters <= this.outputBytesMax) return;
    throw new ExtractionError(
      'file_too_large',
      `"${this.filename}" becomes more than ${formatBytes(this.outputBytesMax)} of markdown. Split it into smaller files, or remove its empty columns.`,
    );
  }
}
