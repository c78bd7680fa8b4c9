/**
 * Writes markdown from the events of a document: text, marks, blocks. Text is escaped. The work is linear in the text,
 * because each character is written once, and marks only around text.
 */
import { cleanText } from '@kiln/pdf/clean-text';
import { escapeHeadingEnd, escapeLineStart } from '@kiln/pdf/markdown/escape-markdown';
import { LineBuffer, type Mark } from './line-buffer.js';

interface Indent {
  /** The prefix of each line. `marker` replaces it in the first line. */
  text: string;
  marker: string | null;
}

export interface WriterOptions {
  /** In a table cell all content is on one line, with `<br>` instead of line ends. */
  isCell: boolean;
  /** Whether a dollar sign could begin a formula. */
  hasFormulas: boolean;
  charactersMax: number;
  /**
   * The characters of all table cells so far. Tables of empty cells write nothing, and can ask for any number of cells.
   */
  tableCharacters: { used: number };
  tooLong: () => Error;
}

export class MarkdownWriter {
  private readonly out: string[] = [];
  private characters = 0;
  private readonly indents: Indent[] = [];
  /** The number of indents that the last line had and that are still open. */
  private sharedIndents = 0;
  private lines: string[] = [];
  private line: LineBuffer;
  private headingLevel = 0;
  /** The number of line ends before the next line. Two begin a new block. */
  private gap = 0;

  constructor(readonly options: WriterOptions) {
    this.line = new LineBuffer(options);
  }

  text(text: string): void {
    this.line.text(cleanText(text).replace(/\s+/g, ' '));
  }

  /** Writes the sign of a power or of a note, if the number that follows would otherwise continue the one before. */
  raise(): void {
    if (this.line.endsWithDigit) this.line.text('^');
  }

  code(text: string): void {
    const spaced = cleanText(text).replace(/\s+/g, ' ');
    if (spaced.startsWith(' ')) this.line.text(' ');
    this.line.code(spaced.trim());
    if (spaced.endsWith(' ')) this.line.text(' ');
  }

  /** Writes markdown, unescaped, within the line. */
  markup(markup: string): void {
    this.line.markup(markup);
  }

  /** Writes LaTeX, which is displayed outside of headings, links and cells. */
  formula(latex: string, isDisplayed: boolean): void {
    if (isDisplayed && !this.options.isCell && this.headingLevel === 0 && !this.line.isInLink)
      this.finished(`$$${latex}$$`);
    else this.line.formula(`$${latex}$`);
  }

  open(mark: Mark): void {
    this.line.open(mark);
  }

  close(mark: Mark, ending?: string): void {
    this.line.close(mark, ending);
  }

  lineBreak(): void {
    if (this.headingLevel > 0 || this.line.isInLink) this.line.text(' ');
    else if (this.line.isEmpty) this.endBlock();
    else this.lines.push(this.line.take());
  }

  /** Ends the paragraph. A new block follows. */
  endBlock(): void {
    this.flush();
    if (!this.isAtMarker) this.gap = Math.max(this.gap, 2);
  }

  /** Ends the line without an empty line after it, as between the items of a list. */
  endLine(): void {
    this.flush();
    if (!this.isAtMarker) this.gap = 1;
  }

  heading(level: number, content: () => void): void {
    this.endBlock();
    this.headingLevel = this.options.isCell ? 0 : level;
    content();
    this.endBlock();
    this.headingLevel = 0;
  }

  /** Writes complete lines of markdown: a table, a rule, a block of code. */
  finished(markdown: string): void {
    this.endBlock();
    for (const indent of this.indents) indent.marker = indent.marker?.padEnd(indent.text.length) ?? null;
    this.put(markdown.split('\n'));
    this.endBlock();
  }

  /** Indents what `content` writes. `marker` replaces the indent of the first line. */
  indented(text: string, marker: string | null, content: () => void): void {
    this.flush();
    this.indents.push({ text, marker });
    content();
    this.flush();
    this.indents.pop();
    this.sharedIndents = Math.min(this.sharedIndents, this.indents.length);
  }

  finish(): string {
    this.flush();
    return this.out.join('');
  }

  /** Whether an item has begun and has no content yet. */
  private get isAtMarker(): boolean {
    return this.indents.some(({ marker }) => marker !== null);
  }

  private flush(): void {
    const closed = this.line.interrupt();
    if (closed !== '') this.lines.push(closed);
    if (this.lines.length === 0) return;
    const { lines } = this;
    this.lines = [];
    if (this.options.isCell) this.put(lines);
    else if (this.headingLevel > 0) this.put([`${'#'.repeat(this.headingLevel)} ${escapeHeadingEnd(lines.join(' '))}`]);
    else this.put(lines.map(escapeLineStart));
  }

  private put(lines: readonly string[]): void {
    for (const line of lines) {
      this.separate();
      const indented = this.options.isCell ? this.takeMarkers() + line : (this.takeIndent() + line).trimEnd();
      this.write(indented);
      this.gap = 1;
      this.sharedIndents = this.indents.length;
    }
  }

  private separate(): void {
    if (this.out.length === 0) return;
    if (this.options.isCell) return this.write('<br>');
    if (this.gap < 2) return this.write('\n');
    const shared = this.indents.slice(0, this.sharedIndents).map(({ text }) => text);
    this.write(`\n${shared.join('').trimEnd()}\n`);
  }

  private takeIndent(): string {
    const pending = this.indents.findLastIndex(({ marker }) => marker !== null);
    return this.indents
      .map((indent, at) => {
        const { marker, text } = indent;
        indent.marker = null;
        // If another marker follows, this one is padded to the width of the indent, so that the content is aligned.
        return marker === null ? text : at < pending ? marker.padEnd(text.length) : marker;
      })
      .join('');
  }

  private takeMarkers(): string {
    const markers = this.indents.map(({ marker }) => marker ?? '').join('');
    for (const indent of this.indents) indent.marker = null;
    return markers;
  }

  private write(text: string): void {
    this.characters += text.length;
    if (this.characters > this.options.charactersMax) throw this.options.tooLong();
    this.out.push(text);
  }
}
