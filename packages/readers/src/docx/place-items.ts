/**
 * Builds the lists of a Word document from the paragraphs that mammoth made of their items. mammoth keeps the names of bookmarks, so each item
 * begins with one that states its level, and its number, that it has a bullet, or that it continues the item before.
 */
import { attribute, type HtmlElement, unlink } from '../html/html-node.js';
import { contentOf, type NestedLists, nestItems } from '../html/nested-lists.js';

type ItemKind = 'bullet' | 'more' | number;

const bookmark = /<a id="item-(\d-(?:bullet|more|\d{1,9}))"><\/a>/g;
const place = 'kiln-item';

/** `level` is from 0. */
export const itemBookmark = (level: number, kind: ItemKind): string => `item-${level}-${kind}`;

/** `html` is the output of mammoth. */
export function withItemPlaces(html: string): string {
  return html.replace(bookmark, `<${place} value="$1"></${place}>`);
}

/** `root` holds the page with the places of items. */
export const placeItems = (root: HtmlElement): void =>
  nestItems(root, (element) => element.name === 'p' && placeIn(element) !== null, addItem);

function addItem(paragraph: HtmlElement, lists: NestedLists): void {
  const found = placeIn(paragraph);
  if (found === null) return lists.block(paragraph);
  unlink(found);
  const [digit, kind = ''] = (attribute(found, 'value') ?? '').split('-');
  const level = Number(digit);
  if (kind === 'more') lists.continueItem(level, paragraph);
  else if (kind === 'bullet') lists.item({ kind: 'ul', level, content: contentOf(paragraph) });
  else lists.item({ kind: 'ol', level, value: kind, content: contentOf(paragraph) });
}

function placeIn({ first }: HtmlElement): HtmlElement | null {
  return first?.kind === 'element' && first.name === place ? first : null;
}
