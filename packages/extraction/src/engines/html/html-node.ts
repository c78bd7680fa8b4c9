/** The tree of a page. Siblings are linked, so each change of the tree takes constant time. */
import type { html } from 'parse5';

export interface HtmlElement {
  kind: 'element';
  name: string;
  attributes: ReadonlyMap<string, string>;
  namespace: html.NS;
  depth: number;
  parent: HtmlElement | null;
  previous: HtmlNode | null;
  next: HtmlNode | null;
  first: HtmlNode | null;
  last: HtmlNode | null;
  /** Whether a descendant is a block or a formula. Set when the tree is complete. */
  holdsBlock: boolean;
  holdsMath: boolean;
}

export interface HtmlText {
  kind: 'text';
  text: string;
  parent: HtmlElement | null;
  previous: HtmlNode | null;
  next: HtmlNode | null;
}

export type HtmlNode = HtmlElement | HtmlText;

export const noAttributes: ReadonlyMap<string, string> = new Map();

export function* childrenOf(element: HtmlElement): Generator<HtmlNode> {
  for (let child = element.first; child !== null; child = child.next) yield child;
}

export function* elementsOf(element: HtmlElement): Generator<HtmlElement> {
  for (let child = element.first; child !== null; child = child.next) if (child.kind === 'element') yield child;
}

export function attribute(element: HtmlElement, name: string): string | null {
  return element.attributes.get(name) ?? null;
}

export function newElement(name: string, namespace: html.NS, attributes: ReadonlyMap<string, string>): HtmlElement {
  return {
    kind: 'element',
    name,
    attributes,
    namespace,
    depth: 0,
    parent: null,
    previous: null,
    next: null,
    first: null,
    last: null,
    holdsBlock: false,
    holdsMath: false,
  };
}

export function newText(text: string): HtmlText {
  return { kind: 'text', text, parent: null, previous: null, next: null };
}
