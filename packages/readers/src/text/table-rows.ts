import { ExtractionError } from '@kiln/pdf/extraction-error';
import { formatBytes } from '@kiln/pdf/format-bytes';
import { escapeCell } from '@kiln/pdf/markdown/escape-markdown';

const namedColumnsMax = 200;
const nameCharactersMax = 200;
const separator = ' | ';
const ruleCell = ' --- |';

/** A GFM table of rows that arrive one by one, as lines of text, which need a tenth of the memory of arrays of cells. */
export class TableRows {
  width = 0;
  /** The cells of the first row. Metadata holds a part of them. */
  names: string[] = [];
  private readonly lines: string[] = [];
  private readonly widths: number[] = [];
  private characters = 0;
  private cells = 0;

  constructor(
    private readonly filename: string,
    private readonly outputBytesMax: number,
  ) {}

  get count(): number {
    return this.lines.length;
  }

  /**
   * @throws ExtractionError file_too_large as soon as the table so far, including the padding of short rows, is too
   * large.
   */
  add(cells: readonly string[]): void {
    if (this.count === 0) this.names = cells.slice(0, namedColumnsMax).map((name) => name.slice(0, nameCharactersMax));
    const line = cells.map(escapeCell).join(separator);
    this.lines.push(line);
    this.widths.push(cells.length);
    this.width = Math.max(this.width, cells.length);
    this.characters += line.length;
    this.cells += cells.length;
    const padding = (this.width * this.count - this.cells) * separator.length;
    if (this.characters + padding + this.width * ruleCell.length <= this.outputBytesMax) return;
    throw new ExtractionError(
      'file_too_large',
      `"${this.filename}" becomes more than ${formatBytes(this.outputBytesMax)} of markdown. Split it into smaller files, or remove its empty columns.`,
    );
  }

  /** The first row is the header. Short rows are padded. */
  render(): string {
    if (this.count === 0) return '';
    const rendered = this.lines.map(
      (line, index) => `| ${line}${separator.repeat(this.width - (this.widths[index] ?? 0))} |`,
    );
    rendered.splice(1, 0, `|${ruleCell.repeat(this.width)}`);
    return `${rendered.join('\n')}\n`;
  }
}
