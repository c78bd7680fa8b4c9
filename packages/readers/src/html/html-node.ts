/** The tree of a page. Siblings are linked, so that each change of the tree takes constant time. */
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

/** Makes the node a child of `parent`, before a sibling or, without one, as the last child. */
export function link(node: HtmlNode, parent: HtmlElement, before: HtmlNode | null): void {
  const previous = before === null ? parent.last : before.previous;
  node.parent = parent;
  node.previous = previous;
  node.next = before;
  if (previous === null) parent.first = node;
  else previous.next = node;
  if (before === null) parent.last = node;
  else before.previous = node;
  if (node.kind === 'element') node.depth = parent.depth + 1;
}

export function unlink(node: HtmlNode): void {
  const { parent, previous, next } = node;
  if (parent === null) return;
  if (previous === null) parent.first = next;
  else previous.next = next;
  if (next === null) parent.last = previous;
  else next.previous = previous;
  node.parent = null;
  node.previous = null;
  node.next = null;
}
