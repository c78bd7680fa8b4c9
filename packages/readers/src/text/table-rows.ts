import { ExtractionError } from '@kiln/pdf/extraction-error';
import { formatBytes } from '@kiln/pdf/format-bytes';
import { escapeCell, escapeLineStart } from '@kiln/pdf/markdown/escape-markdown';

const namedColumnsMax = 200;
const nameCharactersMax = 200;
const separator = ' | ';
const ruleCell = ' --- |';
/** More rows of one value above wider ones are rows of the table. */
const titlesMax = 10;

/**
 * A GFM table of rows that arrive one by one, as lines of text, which need a tenth of the memory of arrays of cells. Empty values at the ends of
 * rows and empty rows are left out, as spreadsheets write many. The first rows with one value each are the title of a wider table.
 */
export class TableRows {
  width = 0;
  /** The cells of the header. Metadata holds a part of them. */
  names: string[] = [];
  private readonly lines: string[] = [];
  private readonly widths: number[] = [];
  private characters = 0;
  private cells = 0;

  constructor(
    private readonly filename: string,
    private readonly outputBytesMax: number,
  ) {}

  /** The number of rows below the header. */
  get count(): number {
    return Math.max(this.lines.length - this.titles - 1, 0);
  }

  private get titles(): number {
    const first = this.widths.findIndex((width) => width > 1);
    return first > titlesMax ? 0 : Math.max(first, 0);
  }

  /**
   * @throws ExtractionError file_too_large as soon as the table so far, including the padding of short rows, is too
   * large.
   */
  add(values: readonly string[]): void {
    const cells = values.slice(0, values.findLastIndex((value) => value.trim() !== '') + 1);
    if (cells.length === 0) return;
    if (this.width === 0 || (this.width === 1 && cells.length > 1 && this.lines.length <= titlesMax))
      this.names = cells.slice(0, namedColumnsMax).map((name) => name.slice(0, nameCharactersMax));
    const line = cells.map(escapeCell).join(separator);
    this.lines.push(line);
    this.widths.push(cells.length);
    this.width = Math.max(this.width, cells.length);
    this.characters += line.length;
    this.cells += cells.length;
    const padding = (this.width * this.lines.length - this.cells) * separator.length;
    if (this.characters + padding + this.width * ruleCell.length <= this.outputBytesMax) return;
    throw new ExtractionError(
      'file_too_large',
      `"${this.filename}" becomes more than ${formatBytes(this.outputBytesMax)} of markdown. Split it into smaller files, or remove its empty columns.`,
    );
  }

  /** Short rows are padded. */
  render(): string {
    if (this.lines.length === 0) return '';
    const { titles } = this;
    const rows = this.lines
      .slice(titles)
      .map((line, index) => `| ${line}${separator.repeat(this.width - (this.widths[titles + index] ?? 0))} |`);
    rows.splice(1, 0, `|${ruleCell.repeat(this.width)}`);
    const paragraphs = this.lines.slice(0, titles).map((line) => `${escapeLineStart(line)}\n\n`);
    return `${paragraphs.join('')}${rows.join('\n')}\n`;
  }
}
