import { readFile } from 'node:fs/promises';
import { bareContentType, charsetOf } from '@kiln/file-types/content-type';
import { isoDate } from '@kiln/pdf/iso-date';
import { declaredCharset } from '../charset/declared-charset.js';
import { decodeText } from '../charset/decode-text.js';
import type { Engine } from '../engine.js';
import { withoutEmptyTags } from './empty-tags.js';
import { type HtmlDocument, parseHtml } from './html-document.js';
import { toMarkdown } from './html-to-markdown.js';

export const extractHtml: Engine = async (input) => {
  const bytes = await readFile(input.path);
  const { text, encoding } = decodeText(bytes, charsetOf(input.contentType) ?? declaredCharset(bytes));
  const isXhtml = bareContentType(input.contentType) === 'application/xhtml+xml';
  const document = parseHtml(isXhtml ? withoutEmptyTags(text) : text, input.filename);
  const head = readHead(document);
  return {
    markdown: toMarkdown(document, input.filename, input.limits.outputBytesMax),
    pages: null,
    pageCount: null,
    title: head.title,
    author: head.author,
    language: head.language,
    details: { encoding, ...head.details },
  };
};

interface Head {
  title: string | null;
  author: string | null;
  language: string | null;
  details: Record<string, string>;
}

const detailNames: Readonly<Record<string, readonly string[]>> = {
  description: ['description', 'og:description'],
  keywords: ['keywords'],
  site_name: ['og:site_name'],
  generator: ['generator'],
};
const dateNames: Readonly<Record<string, readonly string[]>> = {
  published: ['article:published_time', 'date', 'dcterms.created', 'dc.date'],
  modified: ['article:modified_time', 'og:updated_time', 'dcterms.modified'],
};

function readHead({ title, meta, language }: HtmlDocument): Head {
  const named = (name: string): string | null => oneLine(meta.get(name));
  return {
    title: oneLine(title) ?? named('og:title'),
    author: named('author') ?? named('article:author'),
    language: /^([a-z]{2,3})\b/i.exec(language)?.[1]?.toLowerCase() ?? null,
    details: { ...found(detailNames, named), ...found(dateNames, (name) => isoDate(named(name))) },
  };
}

/** For each field, the first of its elements that has a value. */
function found(
  names: Readonly<Record<string, readonly string[]>>,
  read: (name: string) => string | null,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([field, elements]) => {
      const value = elements.map(read).find((text) => text !== null);
      return value === undefined || value === null ? [] : [[field, value]];
    }),
  );
}

function oneLine(text: string | null | undefined): string | null {
  const joined = (text ?? '').replace(/\s+/g, ' ').trim();
  return joined === '' ? null : joined.slice(0, 1000);
}
