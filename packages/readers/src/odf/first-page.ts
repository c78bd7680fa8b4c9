/**
 * The header and the footer that only the first page of a text has, such as a letterhead (OASIS OpenDocument 1.3, part 3, 16.9). Those
 * that each page repeats are left out, and so are the numbers of pages.
 */
import { childOf, descendants, elementsOf, textOf, type XmlElement } from '../xml/xml-tree.js';
import type { OdfStyles } from './odf-styles.js';

const pageNumbers = ['page-number', 'page-count'];
/** `Page 1 of 2` has two words. */
const pageNumberWordsMax = 2;

export interface FirstPage {
  header: XmlElement | null;
  footer: XmlElement | null;
}

export function firstPageOf(content: XmlElement, styles: OdfStyles, isOnlyPage: boolean): FirstPage {
  const master = styles.masterPage(firstParagraphStyle(content));
  const next = master?.attributes.get('style:next-style-name');
  const isAlone = isOnlyPage || (next !== undefined && next !== master?.attributes.get('style:name'));
  const shown = (kind: 'header' | 'footer'): XmlElement | null => {
    const found = childOf(master, `${kind}-first`) ?? (isAlone ? childOf(master, kind) : null);
    return found === null || found.attributes.get('style:display') === 'false' ? null : withoutPageNumbers(found);
  };
  return { header: shown('header'), footer: shown('footer') };
}

function firstParagraphStyle(content: XmlElement): string | undefined {
  for (const child of elementsOf(content))
    if (/^(?:p|h|table)$/.test(child.local))
      return child.attributes.get(child.local === 'table' ? 'table:style-name' : 'text:style-name');
  return undefined;
}

function withoutPageNumbers(part: XmlElement): XmlElement {
  return { ...part, children: part.children.filter((child) => typeof child === 'string' || !onlyNumbersPage(child)) };
}

function onlyNumbersPage(paragraph: XmlElement): boolean {
  if (paragraph.local !== 'p') return false;
  const words = textOf(paragraph).match(/\p{L}+/gu)?.length ?? 0;
  return words <= pageNumberWordsMax && pageNumbers.some((name) => descendants(paragraph, name).next().done === false);
}
