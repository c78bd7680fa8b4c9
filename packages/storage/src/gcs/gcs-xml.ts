// Documents of the XML API: https://cloud.google.com/storage/docs/xml-api/reference-methods
import { XMLParser } from 'fast-xml-parser';
import type { StoredPart } from '../object-store.port.js';
import { StorageError } from '../storage.errors.js';
import { isXmlDocument } from '../xml-document.js';

type Element = Record<string, unknown>;

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  removeNSPrefix: true,
  isArray: (name) => name === 'Part' || name === 'Upload',
});

/** Returns the root element of a response, or throws `unavailable`. */
export function readXml(text: string, root: string): Element {
  if (!isXmlDocument(text, root)) {
    throw new StorageError('unavailable', `the response is not a complete ${root} document`, { retryable: true });
  }
  return elementOf(elementOf(parser.parse(text))[root]);
}

/** Empty when the element is missing. */
export function textIn(parent: Element, name: string): string {
  const text = parent[name];
  return typeof text === 'string' ? text : '';
}

export function listIn(parent: Element, name: string): Element[] {
  const list = parent[name];
  return Array.isArray(list) ? list.map(elementOf) : [];
}

/** The tags of parts are hexadecimal, and are sent in the quotes in which they came. */
export function writeParts(parts: readonly StoredPart[]): string {
  const elements = parts.map(
    ({ partNumber, etag }) => `<Part><PartNumber>${partNumber}</PartNumber><ETag>"${etag ?? ''}"</ETag></Part>`,
  );
  return `<CompleteMultipartUpload>${elements.join('')}</CompleteMultipartUpload>`;
}

const elementOf = (value: unknown): Element => (typeof value === 'object' && value !== null ? (value as Element) : {});
