import { isUnspaced } from '../words/scripts.js';

export interface JoinedLine {
  text: string;
  /** Whether the author ended the line. */
  isBroken: boolean;
}

/** Browsers hyphenate with U+2010. */
const hyphenAtEnd = /(\p{L}+)[-\u00AD\u2010]$/u;
const mayEndInHyphen = (text: string): boolean => /[-\u00AD\u2010]$/.test(text);
const wordAtStart = /^\p{Ll}\p{L}*/u;
const nameAtStart = /^\p{Lu}/u;
const aroundWord = /^[^\p{L}]+|[^\p{L}]+$/gu;
const wordsMax = 100_000;

/**
 * Joins the lines of paragraphs. A hyphen at the end of a line before a small letter divides a word, and is dropped. It
 * stays if the document writes this word with a hyphen elsewhere, or if it uses both parts as words, but not the whole.
 */
export class LineJoiner {
  private readonly words = new Set<string>();

  /** Learns the words that the document uses. */
  learn(words: Iterable<{ text: string }>): void {
    let isPart = false;
    for (const { text } of words) {
      if (this.words.size >= wordsMax) return;
      const startsPart = mayEndInHyphen(text) && hyphenAtEnd.test(text);
      // The parts of a divided word do not count as words.
      if (!isPart && !startsPart && text.length < 40) this.words.add(text.replace(aroundWord, '').toLowerCase());
      isPart = startsPart;
    }
  }

  join(lines: readonly JoinedLine[]): string {
    const parts: string[] = [];
    let before: JoinedLine | null = null;
    for (const line of lines) {
      if (before !== null) {
        const { dropsHyphen, separator } = this.between(before, line.text);
        if (dropsHyphen) parts.push((parts.pop() ?? '').slice(0, -1));
        parts.push(separator);
      }
      parts.push(line.text);
      before = line;
    }
    return parts.join('');
  }

  private between({ text, isBroken }: JoinedLine, after: string): { dropsHyphen: boolean; separator: string } {
    const [, start] = hyphenAtEnd.exec(text.slice(-60)) ?? [];
    const [end] = wordAtStart.exec(after.slice(0, 60)) ?? [];
    if (start !== undefined && end !== undefined)
      return { dropsHyphen: !this.keepsHyphen(start.toLowerCase(), end.toLowerCase()), separator: '' };
    if (isBroken) return { dropsHyphen: false, separator: '\n' };
    const isCompound = start !== undefined && nameAtStart.test(after);
    return { dropsHyphen: false, separator: isCompound || isUnspaced(text, after) ? '' : ' ' };
  }

  private keepsHyphen(start: string, end: string): boolean {
    const { words } = this;
    if (words.has(`${start}-${end}`)) return true;
    return !words.has(start + end) && words.has(start) && words.has(end);
  }
}
