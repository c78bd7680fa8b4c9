import { plainInline } from '@kiln/pdf/markdown/heading-text';
import { MarkdownLines } from './markdown-lines.js';

/** Returns the headings above an offset. Offsets must not decrease, because the text is read only once. */
export class HeadingTrail {
  private readonly lines: MarkdownLines;
  private stack: { level: number; text: string }[] = [];

  constructor(text: string) {
    this.lines = new MarkdownLines(text);
  }

  pathAt(offset: number): string[] {
    for (let line = this.lines.current; line !== null && line.start <= offset; line = this.lines.current) {
      const { heading } = line;
      if (heading !== null)
        this.stack = [
          ...this.stack.filter((above) => above.level < heading.level),
          { level: heading.level, text: plainInline(heading.text) },
        ];
      this.lines.advance();
    }
    return this.stack.map((heading) => heading.text);
  }
}
