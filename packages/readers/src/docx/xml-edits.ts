/** Edits of an XML text, by positions in the original. */
import type { Place } from './open-paragraph.js';

export class XmlEdits {
  private readonly edits: { start: number; end: number; text: string }[] = [];

  insert(at: number, text: string): void {
    if (text !== '') this.replace({ start: at, end: at }, text);
  }

  replace({ start, end }: Place, text: string): void {
    this.edits.push({ start, end, text });
  }

  /** If edits overlap, only the first one is made. At one position, insertions come before replacements. */
  apply(xml: string): string {
    const parts: string[] = [];
    let at = 0;
    for (const { start, end, text } of this.edits.toSorted(
      (left, right) => left.start - right.start || left.end - right.end,
    )) {
      if (start < at) continue;
      parts.push(xml.slice(at, start), text);
      at = end;
    }
    return parts.join('') + xml.slice(at);
  }
}
