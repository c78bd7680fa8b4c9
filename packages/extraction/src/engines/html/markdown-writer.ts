/**
 * Writes markdown from the events of a document: text, marks, blocks. Each character is written once, and marks are
 * written only around text, so that the work is linear in the text. Text is escaped, marks are not.
 */
import { cleanText } from '../../text/decode-text.js';
import { escapeHeadingEnd, escapeLineStart } from '../../text/escape-markdown.js';
import { LineBuffer, type Mark } from './line-buffer.js';

interface Indent {
  /** The prefix of each line, and the prefix of the first line instead. */
  text: string;
  marker: string | null;
}

export interface WriterOptions {
  /** Everything on one line, with `<br>` between what would be lines: the content of a table cell. */
  isCell: boolean;
  charactersMax: number;
  tooLong: () => Error;
}

export class MarkdownWriter {
  private readonly out: string[] = [];
  private characters = 0;
  private readonly indents: Indent[] = [];
  /** How many of the indents have been open ever since the last line. */
  private sharedIndents = 0;
  private lines: string[] = [];
  private line: LineBuffer;
  private headingLevel = 0;
  /** Line ends to come before the next line: two make a new block. */
  private gap = 0;

  constructor(readonly options: WriterOptions) {
    this.line = new LineBuffer(options.isCell);
  }

  text(text: string): void {
    this.line.text(cleanText(text).replace(/\s+/g, ' '));
  }

  code(text: string): void {
    const spaced = cleanText(text).replace(/\s+/g, ' ');
    if (spaced.startsWith(' ')) this.line.text(' ');
    this.line.code(spaced.trim());
    if (spaced.endsWith(' ')) this.line.text(' ');
  }

  /** Finished markdown within the line. */
  markup(markup: string): void {
    this.line.markup(markup);
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

  /** Ends the paragraph; what follows is a block of its own. */
  endBlock(): void {
    this.flush();
    if (!this.isAtMarker) this.gap = Math.max(this.gap, 2);
  }

  /** Ends the paragraph; what follows is on the next line, as the items of a list are. */
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

  /** Lines that are markdown already: a table, a rule, a block of code. */
  finished(markdown: string): void {
    this.endBlock();
    for (const indent of this.indents) indent.marker = indent.marker?.padEnd(indent.text.length) ?? null;
    this.put(markdown.split('\n'));
    this.endBlock();
  }

  /** Content that is indented, the first line by `marker` instead. */
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

  /** Whether an item has begun and nothing is written into it yet. */
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
        // A marker before another one is as wide as the indent, so that what belongs to it lines up.
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
