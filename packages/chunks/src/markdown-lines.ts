import { withoutClosingMark } from '@kiln/pdf/markdown/heading-text';

/** Iterates over the lines of a markdown text, one at a time, and recognizes headings and code. */
export interface MarkdownLine {
  start: number;
  /** The position after the line end. */
  end: number;
  heading: { level: number; text: string } | null;
  isTableRow: boolean;
  isBlank: boolean;
}

/** Only so many characters of a line are examined. A longer line is neither a heading nor a fence. */
const examinedCharacters = 1000;

export class MarkdownLines {
  current: MarkdownLine | null;
  private readonly text: string;
  private fence: string | null = null;

  constructor(text: string) {
    this.text = text;
    this.current = this.read(0);
  }

  advance(): void {
    this.current = this.current === null ? null : this.read(this.current.end);
  }

  private read(start: number): MarkdownLine | null {
    if (start >= this.text.length) return null;
    const lineEnd = this.text.indexOf('\n', start);
    const end = lineEnd === -1 ? this.text.length : lineEnd + 1;
    const line = this.text.slice(start, Math.min(end, start + examinedCharacters)).trimEnd();
    const wasCode = this.fence !== null;
    const isLong = end - start > examinedCharacters;
    if (!isLong) this.trackFence(line);
    const isCode = wasCode || this.fence !== null;
    const heading = isCode || isLong ? null : /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line);
    return {
      start,
      end,
      heading: heading === null ? null : { level: heading[1]?.length ?? 1, text: withoutClosingMark(heading[2] ?? '') },
      isTableRow: !isCode && /^\s*\|/.test(line),
      isBlank: line.trim() === '' && !isLong,
    };
  }

  private trackFence(line: string): void {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (mark === null) return;
    const [, run = '', rest = ''] = mark;
    if (this.fence === null) {
      // Code that also ends in this line is no block (CommonMark, section 4.5).
      if (!run.startsWith('`') || !rest.includes('`')) this.fence = run;
    } else if (run.startsWith(this.fence) && rest.trim() === '') this.fence = null;
  }
}
