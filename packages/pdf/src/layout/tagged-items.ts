import type { PageStructure } from '../page-model.js';
import { startsItem } from './list-mark.js';
import type { TextLine } from './text-lines.js';

/** The lines that begin an item of a list by their tags, and have no mark in their text. `begun` are the items of the lines before. */
export function taggedItems(
  lines: readonly TextLine[],
  structure: PageStructure | null,
  begun: Set<number>,
): ReadonlySet<TextLine> {
  const found = new Set<TextLine>();
  const items = structure?.items;
  for (const line of items === undefined || items.size === 0 ? [] : lines) {
    const [first] = line.words;
    if (first === undefined) continue;
    const begins = items?.has(first.contentId) === true && !begun.has(first.contentId);
    // Titles of sections are tagged as items, too.
    if (begins && structure?.headings.has(first.contentId) !== true && !startsItem(line.words)) found.add(line);
    for (const { contentId } of line.words) begun.add(contentId);
  }
  return found;
}
