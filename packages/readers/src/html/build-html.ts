/** Builds the HTML elements that other formats share, so that one writer makes markdown of all of them. */
import { html } from 'parse5';
import { childrenOf, type HtmlElement, type HtmlNode, link, newElement, newText, noAttributes } from './html-node.js';

export type HtmlContent = HtmlNode | string;

export function element(name: string, children: readonly HtmlContent[] = []): HtmlElement {
  return elementWith(name, {}, children);
}

/** Attributes that are null are left out. */
export function elementWith(
  name: string,
  attributes: Readonly<Record<string, string | null>>,
  children: readonly HtmlContent[] = [],
): HtmlElement {
  const stated = Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== null);
  const made = newElement(name, html.NS.HTML, stated.length === 0 ? noAttributes : new Map(stated));
  append(made, children);
  return made;
}

export function append(parent: HtmlElement, children: readonly HtmlContent[]): void {
  for (const child of children) {
    if (typeof child !== 'string') link(child, parent, null);
    else if (child !== '') link(newText(child), parent, null);
  }
}

/** A table of plain text, by rows. */
export function plainTable(rows: readonly (readonly string[])[]): HtmlElement {
  return element(
    'table',
    rows.map((row) =>
      element(
        'tr',
        row.map((cell) => element('td', [cell])),
      ),
    ),
  );
}

/** The blocks of a list item whose first paragraph stays on the line of its mark. */
export function onOneLine([first, ...others]: readonly HtmlElement[]): HtmlContent[] {
  if (first === undefined) return [];
  return [first.name === 'p' ? element('span', [...childrenOf(first)]) : first, ...others];
}
