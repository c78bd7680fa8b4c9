// Writes XML (with keys of any characters escaped) and parses XML (of bounded size, without entity declarations).
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { S3Error } from './s3-errors.js';

export type XmlValue = string | number | boolean | undefined | XmlElement | readonly XmlElement[];
export interface XmlElement {
  readonly [name: string]: XmlValue;
}

export const XML_PROLOG = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** A document. An array repeats its element, and undefined omits it. */
export function xmlDocument(root: string, content: XmlElement): string {
  return XML_PROLOG + xmlRoot(root, content);
}

/** The document without its prolog, for a response that has sent the prolog already. */
export function xmlRoot(root: string, content: XmlElement): string {
  const namespace = root === 'Error' ? '' : ` xmlns="${NAMESPACE}"`;
  return `<${root}${namespace}>${children(content)}</${root}>`;
}

function children(content: XmlElement): string {
  let out = '';
  for (const [name, value] of Object.entries(content)) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? (value as readonly XmlElement[]) : [value]) {
      out += `<${name}>${typeof item === 'object' ? children(item as XmlElement) : escapeText(String(item))}</${name}>`;
    }
  }
  return out;
}

const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Control characters become references, as S3 does; strict parsers refuse some, which is what encoding-type=url is for. */
const escapeText = (text: string): string =>
  text.replace(/[&<>"\p{Cc}\ufffe\uffff]/gu, (c) => NAMED[c] ?? `&#x${c.charCodeAt(0).toString(16).toUpperCase()};`);

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  removeNSPrefix: true,
  htmlEntities: true, // numeric references such as &#13;
  isArray: (name) => name === 'Part' || name === 'Object',
});

/** Returns the named root element of a request body, or throws MalformedXML. */
export function parseXml(body: string, root: string): Record<string, unknown> {
  if (/<!DOCTYPE|<!ENTITY/i.test(body) || XMLValidator.validate(body) !== true) throw new S3Error('MalformedXML');
  const parsed: unknown = parser.parse(body);
  return recordOf(recordOf(parsed)[root]);
}

export function recordOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new S3Error('MalformedXML');
  return value as Record<string, unknown>;
}

export function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new S3Error('MalformedXML');
  return value;
}

export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new S3Error('MalformedXML');
  return value;
}
