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

/** Builds one tree. Each document needs a new one. */
export function linkedTree(limits: HtmlLimits): TreeAdapter<TreeTypes> {
  let elements = 0;
  let mode = html.DOCUMENT_MODE.NO_QUIRKS;
  const insert = (parent: HtmlElement, node: HtmlNode, before: HtmlNode | null): void => {
    // Comments are empty text nodes. They are dropped.
    if (node.kind === 'text' && node.text === '') return;
    link(node, parent, before);
    if (parent.depth > limits.depthMax) throw tooDeep(limits);
  };
  const insertText = (parent: HtmlElement, text: string, before: HtmlNode | null): void => {
    const previous = before === null ? parent.last : before.previous;
    if (previous?.kind === 'text') previous.text += text;
    else insert(parent, newText(text), before);
  };
  return {
    createElement: (name, namespace, attributes) => {
      elements++;
      if (elements > limits.elementsMax) throw limits.refuse(`has more than ${limits.elementsMax} elements`);
      return newElement(name, namespace, keep(attributes));
    },
    createDocument: () => newElement('#document', html.NS.HTML, noAttributes),
    createDocumentFragment: () => newElement('#fragment', html.NS.HTML, noAttributes),
    createCommentNode: () => newText(''),
    createTextNode: newText,
    adoptAttributes: (element, attributes) => {
      element.attributes = new Map([...keep(attributes), ...element.attributes]);
    },
    appendChild: (parent, node) => insert(parent, node, null),
    insertBefore: insert,
    insertText: (parent, text) => insertText(parent, text, null),
    insertTextBefore: insertText,
    detachNode: unlink,
    getFirstChild: ({ first }) => first,
    getChildNodes: (node) => [...childrenOf(node)],
    getParentNode: ({ parent }) => parent,
    getAttrList: ({ attributes }) => [...attributes].map(([name, value]) => ({ name, value })),
    getTagName: ({ name }) => name,
    getNamespaceURI: ({ namespace }) => namespace,
    getTextNodeContent: ({ text }) => text,
    // A template is never shown, so its content may stand among its children.
    getTemplateContent: (element) => element,
    setTemplateContent: () => {},
    setDocumentMode: (_document, stated) => {
      mode = stated;
    },
    getDocumentMode: () => mode,
    isTextNode: (node): node is HtmlText => node.kind === 'text',
    isElementNode: (node): node is HtmlElement => node.kind === 'element',
    // The tree has neither comments, nor a document type, nor places in the source.
    isCommentNode: (_node): _node is HtmlText => false,
    isDocumentTypeNode: (_node): _node is HtmlText => false,
    getCommentNodeContent: () => '',
    setDocumentType: () => {},
    getDocumentTypeNodeName: () => '',
    getDocumentTypeNodePublicId: () => '',
    getDocumentTypeNodeSystemId: () => '',
    getNodeSourceCodeLocation: () => null,
    setNodeSourceCodeLocation: () => {},
    updateNodeSourceCodeLocation: () => {},
  };
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
