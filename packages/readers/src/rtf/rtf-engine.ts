import { readFile } from 'node:fs/promises';
import { isoDate } from '@kiln/pdf/iso-date';
import { cleanText } from '@kiln/pdf/clean-text';
import type { Engine } from '../engine.js';
import { corruptFile } from '../engine-failure.js';
import { documentOf } from '../html/html-document.js';
import type { HtmlElement } from '../html/html-node.js';
import { toMarkdown } from '../html/html-to-markdown.js';
import type { RtfTables } from './rtf-document.js';
import { RtfReader } from './rtf-reader.js';

const details = {
  subject: 'subject',
  keywords: 'keywords',
  description: 'doccomm',
};
const dates = { created: 'creatim', modified: 'revtim' };

/** The result has no pages: an RTF file has pages only after layout. */
export const extractRtf: Engine = async (input) => {
  const rtf = (await readFile(input.path)).toString('latin1');
  if (!/^\s*\{\\rtf/.test(rtf.slice(0, 1000).replace(/^\u00ef\u00bb\u00bf/, '')))
    throw corruptFile('rtf', input.filename);
  const { tables, blocks } = readRtf(rtf, input.filename);
  const field = (name: string): string | null =>
    cleanText(tables.info.get(name) ?? '')
      .trim()
      .slice(0, 1000) || null;
  const stated = Object.entries(details).flatMap(([name, word]) => {
    const text = field(word);
    return text === null ? [] : [[name, text] as const];
  });
  const dated = Object.entries(dates).flatMap(([name, word]) => {
    const date = isoDate(field(word));
    return date === null ? [] : [[name, date] as const];
  });
  return {
    markdown: toMarkdown(documentOf(blocks, input.filename), input.filename, input.limits.outputBytesMax),
    pages: null,
    pageCount: null,
    title: field('title'),
    author: field('author'),
    language: null,
    details: Object.fromEntries([...stated, ...dated]),
  };
};

/** `rtf` has one character for each byte. */
export function readRtf(rtf: string, filename: string): { tables: RtfTables; blocks: HtmlElement[] } {
  const tables: RtfTables = {
    fonts: new Map(),
    styles: new Map(),
    lists: new Map(),
    overrides: new Map(),
    info: new Map(),
  };
  return { tables, blocks: new RtfReader(tables, filename).read(rtf) };
}
