/** Reads Jupyter notebooks (nbformat 4, and the cells of 3). Text stays as it is. Code and its output become fences. */
import { readFile } from 'node:fs/promises';
import { decodeText } from '../charset/decode-text.js';
import { cleanText } from '@kiln/pdf/clean-text';
import { fencedBlock } from '@kiln/pdf/markdown/escape-markdown';
import type { Engine, EngineInput } from '../engine.js';
import { corruptFile } from '../engine-failure.js';
import { parseHtml } from '../html/html-document.js';
import { toMarkdown } from '../html/html-to-markdown.js';

type Fields = Record<string, unknown>;

const headingLevelMax = 6;
const authorsMax = 20;
// oxlint-disable-next-line no-control-regex -- colours of terminals begin with it
const terminalCodes = /\u001B\[[0-9;?]*[ -/]*[@-~]/g;

export const extractNotebook: Engine = async (input) => {
  const notebook = fieldsOf(parse(decodeText(await readFile(input.path)).text, input.filename));
  const metadata = fieldsOf(notebook['metadata']);
  const cells = cellsOf(notebook);
  if (cells === null) throw corruptFile('ipynb', input.filename);
  const language = codeLanguage(metadata);
  const markdown = cells.flatMap((cell) => cellMarkdown(fieldsOf(cell), language, input)).join('\n\n');
  return {
    markdown: markdown === '' ? '' : `${markdown}\n`,
    pages: null,
    pageCount: null,
    title: text(metadata['title']) || null,
    author: authorsOf(metadata),
    language: null,
    details: {
      cell_count: cells.length,
      code_cell_count: cells.filter((cell) => fieldsOf(cell)['cell_type'] === 'code').length,
      ...(language === '' ? {} : { code_language: language }),
      ...kernelOf(metadata),
      ...formatOf(notebook),
    },
  };
};

function kernelOf(metadata: Fields): { kernel?: string } {
  const kernel = fieldsOf(metadata['kernelspec'])['display_name'];
  return typeof kernel === 'string' && kernel !== '' ? { kernel: cleanText(kernel) } : {};
}

/** `4.5` */
function formatOf({ nbformat, nbformat_minor: minor }: Fields): { notebook_format?: string } {
  return Number.isSafeInteger(nbformat) && Number.isSafeInteger(minor)
    ? { notebook_format: `${String(nbformat)}.${String(minor)}` }
    : {};
}

function parse(json: string, filename: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) throw corruptFile('ipynb', filename, error);
    throw error;
  }
}

function cellsOf(notebook: Fields): readonly unknown[] | null {
  if (Array.isArray(notebook['cells'])) return notebook['cells'];
  const sheets = notebook['worksheets'];
  if (!Array.isArray(sheets)) return null;
  return sheets.flatMap((sheet) => listOf(fieldsOf(sheet)['cells']));
}

function cellMarkdown(cell: Fields, language: string, input: EngineInput): string[] {
  const source = text(cell['source'] ?? cell['input']).trim();
  switch (cell['cell_type']) {
    case 'markdown':
      return source === '' ? [] : [source];
    case 'heading': {
      const level = Math.min(Math.max(Number(cell['level']) || 1, 1), headingLevelMax);
      return source === '' ? [] : [`${'#'.repeat(level)} ${source.replace(/\s+/g, ' ')}`];
    }
    case 'code':
      return [
        ...(source === '' ? [] : [fenced(source, language)]),
        ...listOf(cell['outputs']).flatMap((output) => outputMarkdown(fieldsOf(output), input)),
      ];
    default:
      return source === '' ? [] : [fenced(source, '')];
  }
}

/** The most informative form of a result. Pictures are left out, because they have no text. */
function outputMarkdown(output: Fields, input: EngineInput): string[] {
  const data = 'data' in output ? fieldsOf(output['data']) : output;
  const html = text(data['text/html'] ?? output['html']).trim();
  if (html !== '') {
    const { filename, limits } = input;
    const markdown = toMarkdown(parseHtml(html, filename), filename, limits.outputBytesMax).trimEnd();
    if (markdown !== '') return [markdown];
  }
  const plain = text(data['text/markdown'] ?? data['text/plain'] ?? output['text'] ?? failure(output));
  const shown = plain.trimEnd();
  return shown.trim() === '' ? [] : [fenced(shown, '')];
}

function failure(output: Fields): string {
  if (output['output_type'] !== 'error' && output['output_type'] !== 'pyerr') return '';
  return `${text(output['ename'])}: ${text(output['evalue'])}`;
}

function fenced(source: string, language: string): string {
  return fencedBlock(source, language).trimEnd();
}

function codeLanguage(metadata: Fields): string {
  const stated = text(fieldsOf(metadata['language_info'])['name'] ?? fieldsOf(metadata['kernelspec'])['language']);
  return /^[a-z0-9_+#.-]{1,40}$/i.test(stated) ? stated.toLowerCase() : '';
}

function authorsOf(metadata: Fields): string | null {
  const names = listOf(metadata['authors'])
    .slice(0, authorsMax)
    .map((author) => text(fieldsOf(author)['name']).trim().slice(0, 200))
    .filter((name) => name !== '');
  return names.length === 0 ? null : names.join(', ').toWellFormed();
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text, or the lines of a text, without the color codes of a terminal. */
function text(value: unknown): string {
  const lines = Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : value;
  return typeof lines === 'string' ? cleanText(lines.replace(terminalCodes, '')) : '';
}
