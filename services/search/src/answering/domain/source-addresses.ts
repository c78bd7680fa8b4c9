// Which addresses the sources of an answer contain.
import type { Excerpt } from './excerpt.js';

/** Markdown writes `a\_b` and `&amp;` where its reader sees `a_b` and `&`. */
const ESCAPED = /\\([!-/:-@[-`{-~])/g;
const BEFORE = /[\p{L}\p{N}]/u;
const AFTER = /[\s<>"'`)\]}|\\.,;:!?*_~\u0080-\uffff]/;

export class SourceAddresses {
  private readonly text: string;

  constructor(excerpts: readonly Pick<Excerpt, 'text' | 'filename' | 'headings'>[]) {
    const written = excerpts.flatMap(({ text, filename, headings }) => [text, filename, ...headings]).join('\n');
    this.text = `${written}\n${written.replace(ESCAPED, '$1').replaceAll('&amp;', '&')}\n`;
  }

  /** Whether a source contains exactly this address. */
  contain(address: string): boolean {
    if (address === '') return false;
    for (let at = this.text.indexOf(address); at >= 0; at = this.text.indexOf(address, at + 1)) {
      const isStart = at === 0 || !BEFORE.test(this.text.charAt(at - 1));
      if (isStart && AFTER.test(this.text.charAt(at + address.length))) return true;
    }
    return false;
  }
}
