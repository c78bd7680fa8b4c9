import { isUnspaced } from '../words/scripts.js';

export interface JoinedLine {
  text: string;
  /** Whether the author ended the line. */
  isBroken: boolean;
}

const hyphenAtEnd = /(\p{L}+)[-\u00AD]$/u;
const wordAtStart = /^\p{Ll}\p{L}*/u;
const aroundWord = /^[^\p{L}]+|[^\p{L}]+$/gu;
const wordsMax = 100_000;

/**
 * Joins the lines of paragraphs. A hyphen at the end of a line before a small letter divides a word, and is dropped, unless the
 * document writes this word with a hyphen elsewhere, or uses both of its parts, but not the whole, as words.
 */
export class LineJoiner {
  private readonly words = new Set<string>();

  /** Learns the words that the document uses. */
  learn(words: Iterable<{ text: string }>): void {
    let isPart = false;
    for (const { text } of words) {
      if (this.words.size >= wordsMax) return;
      const startsPart = hyphenAtEnd.test(text);
      // The parts of a divided word are no words.
      if (!isPart && !startsPart && text.length < 40) this.words.add(text.replace(aroundWord, '').toLowerCase());
      isPart = startsPart;
    }
  }

  join(lines: readonly JoinedLine[]): string {
    let joined = '';
    let isBroken = false;
    for (const line of lines) {
      joined = joined === '' ? line.text : this.append(joined, line.text, isBroken);
      ({ isBroken } = line);
    }
    return joined;
  }

  private append(before: string, after: string, isBroken: boolean): string {
    const [, start] = hyphenAtEnd.exec(before.slice(-60)) ?? [];
    const [end] = wordAtStart.exec(after.slice(0, 60)) ?? [];
    if (start !== undefined && end !== undefined)
      return this.keepsHyphen(start.toLowerCase(), end.toLowerCase()) ? before + after : before.slice(0, -1) + after;
    if (isBroken) return `${before}\n${after}`;
    return isUnspaced(before, after) ? before + after : `${before} ${after}`;
  }

  private keepsHyphen(start: string, end: string): boolean {
    const { words } = this;
    if (words.has(`${start}-${end}`)) return true;
    return !words.has(start + end) && words.has(start) && words.has(end);
  }
}
