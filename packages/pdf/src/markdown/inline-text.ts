import { escapeInline } from './escape-markdown.js';
import { linkTarget } from './link-target.js';
import type { Word } from '../page-model.js';
import { inReadingOrder, isUnspaced } from '../words/scripts.js';

/** Dots that lead to the number of a page, or that leave room to write. */
const leader = /\.(?:\s?\.){4,}/g;
const ellipsis = '…';

/** The words of a line as they are read, without any marks. */
export function plainText(words: readonly Word[]): string {
  const parts: string[] = [];
  let before = '';
  for (const word of inReadingOrder(words)) {
    parts.push(separator(before, word), word.text);
    before = word.text;
  }
  return parts.join('').replace(leader, ellipsis);
}

/** The words of a line as inline markdown, with their links. */
export function inlineMarkdown(words: readonly Word[]): string {
  const pieces: { text: string; link: string | null }[] = [];
  let before = '';
  for (const word of inReadingOrder(words)) {
    const between = separator(before, word);
    before = word.text;
    const last = pieces.at(-1);
    if (last?.link === word.link) last.text += between + word.text;
    else {
      if (last !== undefined) last.text += between;
      pieces.push({ text: word.text, link: word.link });
    }
  }
  return pieces.map((piece) => inlinePiece(piece.text, piece.link)).join('');
}

function separator(before: string, word: Word): string {
  return before === '' || word.isGlued || isUnspaced(before, word.text) ? '' : ' ';
}

function inlinePiece(words: string, address: string | null): string {
  const text = words.replace(leader, ellipsis);
  const target = address === null ? null : linkTarget(address);
  // An exclamation mark before a link would make it an image.
  if (target === null) return escapeInline(text).replace(/!$/, '\\!');
  const space = /\s+$/.exec(text)?.[0] ?? '';
  return `[${escapeInline(text.trimEnd())}](${target})${space}`;
}
