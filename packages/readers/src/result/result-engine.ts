/**
 * Reads the result of a third party's extractor (docs/own-extractor.md): JSON with markdown or with pages. The result
 * can be larger than the memory of a worker. An invalid result is a `corrupt_file`, and the message says why.
 */
import { readFile } from 'node:fs/promises';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { foreignMarkdown, type ForeignText } from './foreign-markdown.js';
import type { Engine } from '../engine.js';

const pagesMax = 10_000;
const lineCharactersMax = 1_000;
const isLanguage = /^[a-z]{2,3}$/;

type Fields = Record<string, unknown>;

export const extractResult: Engine = async ({ path }) => {
  // Some servers begin JSON with a byte order mark, which is not part of the text (RFC 8259, 8.1).
  const found = textOf(parse(new TextDecoder().decode(await readFile(path))));
  const { markdown, pages, title, author } = foreignMarkdown(found);
  return { markdown, pages, pageCount: pages?.length ?? null, title, author, language: found.language, details: {} };
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw unusable('it is not JSON');
  }
}

function textOf(value: unknown): ForeignText {
  if (!isFields(value)) throw unusable('it is not an object');
  const { markdown, pages, error } = value;
  if ([markdown, pages, error].filter((part) => part !== undefined).length !== 1 || error !== undefined)
    throw unusable('it must have exactly one of markdown and pages');
  const [title, author] = [lineOf(value, 'title'), lineOf(value, 'author')];
  const language = value['language'] ?? null;
  if (language !== null && (typeof language !== 'string' || !isLanguage.test(language)))
    throw unusable('language must be a code of ISO 639');
  return {
    texts: pages === undefined ? [markdownOf(markdown)] : textsOf(pages),
    hasPages: pages !== undefined,
    title,
    author,
    language,
  };
}

function textsOf(pages: unknown): string[] {
  if (!Array.isArray(pages) || pages.length > pagesMax) throw unusable(`pages must be a list of at most ${pagesMax}`);
  return pages.map((page: unknown) => markdownOf(isFields(page) ? page['markdown'] : undefined));
}

function markdownOf(value: unknown): string {
  if (typeof value !== 'string') throw unusable('markdown must be text');
  return value;
}

function lineOf(value: Fields, name: 'title' | 'author'): string | null {
  const line = value[name] ?? null;
  if (line !== null && (typeof line !== 'string' || line.length > lineCharactersMax))
    throw unusable(`${name} must be text of at most ${lineCharactersMax} characters`);
  return line;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unusable = (why: string) => new ExtractionError('corrupt_file', why);
