/** Builds the tree of a page, with limits for its size and depth: a few bytes of markup can ask for millions of elements. */
import { html, type Token, type TreeAdapter, type TreeAdapterTypeMap } from 'parse5';
import {
  childrenOf,
  type HtmlElement,
  type HtmlNode,
  type HtmlText,
  link,
  newElement,
  newText,
  noAttributes,
  unlink,
} from './html-node.js';

export interface TreeTypes extends TreeAdapterTypeMap {
  node: HtmlNode;
  parentNode: HtmlElement;
  childNode: HtmlNode;
  document: HtmlElement;
  documentFragment: HtmlElement;
  element: HtmlElement;
  commentNode: HtmlText;
  textNode: HtmlText;
  template: HtmlElement;
  documentType: HtmlText;
}

export interface HtmlLimits {
  depthMax: number;
  elementsMax: number;
  /** The error for a document beyond a limit. */
  refuse: (what: string) => Error;
}

/** The attributes that affect the extracted text. Others are dropped to save memory. */
const keptAttributes = new Set(
  (
    'alt aria-hidden charset checked class colspan content hidden href lang name property role rowspan src start style type value' +
    ' bevelled close display linethickness mathvariant open separators'
  ).split(' '),
);

/** Builds one tree. Each document needs a new instance. */
export class LinkedTree implements TreeAdapter<TreeTypes> {
  private elements = 0;
  private mode = html.DOCUMENT_MODE.NO_QUIRKS;

  constructor(private readonly limits: HtmlLimits) {}

  createElement(name: string, namespace: html.NS, attributes: Token.Attribute[]): HtmlElement {
    this.elements++;
    if (this.elements > this.limits.elementsMax)
      throw this.limits.refuse(`has more than ${this.limits.elementsMax} elements`);
    return newElement(name, namespace, keep(attributes));
  }

  createDocument(): HtmlElement {
    return newElement('#document', html.NS.HTML, noAttributes);
  }

  createDocumentFragment(): HtmlElement {
    return newElement('#fragment', html.NS.HTML, noAttributes);
  }

  createCommentNode(): HtmlText {
    return newText('');
  }

  createTextNode(text: string): HtmlText {
    return newText(text);
  }

  adoptAttributes(element: HtmlElement, attributes: Token.Attribute[]): void {
    element.attributes = new Map([...keep(attributes), ...element.attributes]);
  }

  appendChild(parent: HtmlElement, node: HtmlNode): void {
    this.insert(parent, node, null);
  }

  insertBefore(parent: HtmlElement, node: HtmlNode, reference: HtmlNode): void {
    this.insert(parent, node, reference);
  }

  detachNode(node: HtmlNode): void {
    unlink(node);
  }

  insertText(parent: HtmlElement, text: string): void {
    if (parent.last?.kind === 'text') parent.last.text += text;
    else this.insert(parent, newText(text), null);
  }

  insertTextBefore(parent: HtmlElement, text: string, reference: HtmlNode): void {
    if (reference.previous?.kind === 'text') reference.previous.text += text;
    else this.insert(parent, newText(text), reference);
  }

  private insert(parent: HtmlElement, node: HtmlNode, before: HtmlNode | null): void {
    // Comments are empty text nodes. They are dropped.
    if (node.kind === 'text' && node.text === '') return;
    link(node, parent, before);
    if (parent.depth > this.limits.depthMax) throw tooDeep(this.limits);
  }

  getFirstChild(node: HtmlElement): HtmlNode | null {
    return node.first;
  }

  getChildNodes(node: HtmlElement): HtmlNode[] {
    return [...childrenOf(node)];
  }

  getParentNode(node: HtmlNode): HtmlElement | null {
    return node.parent;
  }

  getAttrList(element: HtmlElement): Token.Attribute[] {
    return [...element.attributes].map(([name, value]) => ({ name, value }));
  }

  getTagName(element: HtmlElement): string {
    return element.name;
  }

  getNamespaceURI(element: HtmlElement): html.NS {
    return element.namespace;
  }

  getTextNodeContent(node: HtmlText): string {
    return node.text;
  }

  getTemplateContent(element: HtmlElement): HtmlElement {
    return element;
  }

  // The content of a template is never displayed.
  setTemplateContent(): void {}

  setDocumentMode(_document: HtmlElement, mode: html.DOCUMENT_MODE): void {
    this.mode = mode;
  }

  getDocumentMode(): html.DOCUMENT_MODE {
    return this.mode;
  }

  isTextNode(node: HtmlNode): node is HtmlText {
    return node.kind === 'text';
  }

  isElementNode(node: HtmlNode): node is HtmlElement {
    return node.kind === 'element';
  }

  isCommentNode(_node: HtmlNode): _node is HtmlText {
    return false;
  }

  isDocumentTypeNode(_node: HtmlNode): _node is HtmlText {
    return false;
  }

  getCommentNodeContent(): string {
    return '';
  }

  setDocumentType(): void {}

  getDocumentTypeNodeName(): string {
    return '';
  }

  getDocumentTypeNodePublicId(): string {
    return '';
  }

  getDocumentTypeNodeSystemId(): string {
    return '';
  }

  getNodeSourceCodeLocation(): null {
    return null;
  }

  setNodeSourceCodeLocation(): void {}

  updateNodeSourceCodeLocation(): void {}
}

export function tooDeep(limits: HtmlLimits): Error {
  return limits.refuse(`is nested too deeply: more than ${limits.depthMax} levels of elements`);
}

function keep(attributes: readonly Token.Attribute[]): ReadonlyMap<string, string> {
  let kept: Map<string, string> | null = null;
  for (const { name, value } of attributes) {
    if (!keptAttributes.has(name)) continue;
    kept ??= new Map();
    kept.set(name, value);
  }
  return kept ?? noAttributes;
}
