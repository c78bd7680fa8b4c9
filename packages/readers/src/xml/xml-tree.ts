/** Small XML documents as a tree: parts of office files, packages of books. Large parts are read token by token instead. */
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { unescapeXml } from './unescape-xml.js';
import { MalformedXmlError, type XmlAttribute, xmlTokens } from './xml-tokens.js';

const depthMax = 256;
const elementsMax = 2_000_000;

export interface XmlElement {
  /** With its prefix: `a:p`. */
  name: string;
  /** Without its prefix: `p`. */
  local: string;
  /** By full names. Values are unescaped. */
  attributes: ReadonlyMap<string, string>;
  children: (XmlElement | string)[];
}

/**
 * Receives each element at its end, with the elements around it. Returns true if the element is finished. It is then
 * removed from the tree.
 */
export type ElementVisitor = (element: XmlElement, around: readonly XmlElement[]) => boolean;

const keepAll: ElementVisitor = () => false;

/**
 * @throws MalformedXmlError; ExtractionError file_too_large if a limit is exceeded, with a message about `filename`.
 */
export function parseXml(xml: string, filename: string, visit: ElementVisitor = keepAll): XmlElement {
  const root: XmlElement = { name: '', local: '', attributes: new Map(), children: [] };
  const open: XmlElement[] = [root];
  /** For each open element, the number of elements in the tree when it began. */
  const sizes = [0];
  let elements = 0;
  const close = (element: XmlElement): void => {
    const size = sizes.pop() ?? 0;
    if (!visit(element, open)) return;
    open.at(-1)?.children.pop();
    elements = size;
  };
  for (const token of xmlTokens(xml)) {
    const parent = open.at(-1) ?? root;
    if (token.kind === 'text') parent.children.push(unescapeXml(token.text));
    else if (token.kind === 'close') {
      if (open.length === 1 || parent.name !== token.name)
        throw new MalformedXmlError(`</${token.name}> closes another element`);
      open.pop();
      close(parent);
    } else {
      const element = newElement(token.name, token.attributes);
      parent.children.push(element);
      sizes.push(elements);
      elements++;
      if (open.length >= depthMax) throw tooLarge(filename, `is nested too deeply: more than ${depthMax} levels`);
      if (elements > elementsMax) throw tooLarge(filename, `has more than ${elementsMax} elements in one part`);
      if (token.isEmpty) close(element);
      else open.push(element);
    }
  }
  if (open.length > 1) throw new MalformedXmlError(`<${open.at(-1)?.name}> without an end`);
  return firstElement(root);
}

function newElement(name: string, attributes: readonly XmlAttribute[]): XmlElement {
  return {
    name,
    local: localName(name),
    attributes: new Map(attributes.map((attribute) => [attribute.name, unescapeXml(attribute.value)])),
    children: [],
  };
}

function firstElement(root: XmlElement): XmlElement {
  for (const child of root.children) if (typeof child !== 'string') return child;
  throw new MalformedXmlError('no element');
}

function tooLarge(filename: string, what: string): ExtractionError {
  return new ExtractionError(
    'file_too_large',
    `"${filename}" ${what}. Simplify its structure, or split it into smaller files.`,
  );
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

export function* elementsOf(element: XmlElement): Generator<XmlElement> {
  for (const child of element.children) if (typeof child !== 'string') yield child;
}

export function childOf(element: XmlElement | null | undefined, local: string): XmlElement | null {
  for (const child of element?.children ?? []) if (typeof child !== 'string' && child.local === local) return child;
  return null;
}

/** Follows the first children of these local names. */
export function descend(element: XmlElement | null | undefined, ...locals: readonly string[]): XmlElement | null {
  let at = element ?? null;
  for (const local of locals) at = childOf(at, local);
  return at;
}

export function childrenNamed(element: XmlElement | null | undefined, local: string): XmlElement[] {
  return (element?.children ?? []).filter(
    (child): child is XmlElement => typeof child !== 'string' && child.local === local,
  );
}

/** All elements below of this local name, in order. */
export function* descendants(element: XmlElement, local: string): Generator<XmlElement> {
  for (const child of elementsOf(element)) {
    if (child.local === local) yield child;
    yield* descendants(child, local);
  }
}

export function textOf(element: XmlElement | null | undefined): string {
  if (element == null) return '';
  let text = '';
  for (const child of element.children) text += typeof child === 'string' ? child : textOf(child);
  return text;
}

/** An attribute without a prefix. */
export function attributeOf(element: XmlElement | null | undefined, name: string): string | null {
  return element?.attributes.get(name) ?? null;
}

/** An attribute with any prefix: `r:id`. */
export function prefixedAttribute(element: XmlElement | null | undefined, local: string): string | null {
  for (const [name, value] of element?.attributes ?? []) if (name.endsWith(`:${local}`)) return value;
  return null;
}
