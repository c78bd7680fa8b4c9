import { readFile } from 'node:fs/promises';
import { bareContentType, charsetOf } from '../../content-type.js';
import { declaredCharset } from '../../text/declared-charset.js';
import { decodeText } from '../../text/decode-text.js';
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
    details: head.description === null ? { encoding } : { encoding, description: head.description },
  };
};

interface Head {
  title: string | null;
  author: string | null;
  description: string | null;
  language: string | null;
}

function readHead({ title, meta, language }: HtmlDocument): Head {
  const named = (name: string): string | null => oneLine(meta.get(name));
  return {
    title: oneLine(title) ?? named('og:title'),
    author: named('author') ?? named('article:author'),
    description: named('description') ?? named('og:description'),
    language: /^([a-z]{2,3})\b/i.exec(language)?.[1]?.toLowerCase() ?? null,
  };
}

function oneLine(text: string | null | undefined): string | null {
  const joined = (text ?? '').replace(/\s+/g, ' ').trim();
  return joined === '' ? null : joined.slice(0, 1000);
}
