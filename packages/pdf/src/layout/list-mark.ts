import { plainText } from '../markdown/inline-text.js';
import type { Word } from '../page-model.js';

export interface ListMark {
  /** `-`, or the number with a full stop. */
  markdown: string;
  /** The length of the mark and the space after it in the text. */
  length: number;
}

/** Bullets of word processors, TeX and presentations, and those of the Symbol and Wingdings fonts. */
const bullet = /^[•‣◦▪▫●○■□◆◇►▶➢➤✓✔∙·\uF000-\uF0FF–—*-]\s+(?=\S)/u;
const number = /^(\d{1,3})[.)]\s+(?=\S)/;

/** The mark at the beginning of a list item. Null if there is none. */
export function listMark(text: string): ListMark | null {
  const [found] = bullet.exec(text) ?? [];
  if (found !== undefined) return { markdown: '-', length: found.length };
  const numbered = number.exec(text);
  return numbered === null ? null : { markdown: `${numbered[1] ?? ''}.`, length: numbered[0].length };
}

/** Whether a line begins with the mark of a list item. */
export function startsItem(line: readonly Word[]): boolean {
  return listMark(plainText(line)) !== null;
}
