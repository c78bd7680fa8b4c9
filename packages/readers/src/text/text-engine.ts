import { readFile } from 'node:fs/promises';
import { bareContentType, charsetOf } from '@kiln/file-types/content-type';
import { declaredCharset } from '../charset/declared-charset.js';
import { decodeText } from '../charset/decode-text.js';
import { fencedBlock } from '@kiln/pdf/markdown/escape-markdown';
import { escapePlainText } from './escape-plain-text.js';
import type { Engine, EngineOutput } from '../engine.js';

/** File extensions of source code, with the language name for the fence. */
const languageOfExtension: Readonly<Record<string, string>> = {
  bash: 'bash',
  c: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  cs: 'csharp',
  css: 'css',
  go: 'go',
  graphql: 'graphql',
  h: 'c',
  hpp: 'cpp',
  ini: 'ini',
  java: 'java',
  js: 'javascript',
  json: 'json',
  jsonl: 'json',
  jsx: 'jsx',
  kt: 'kotlin',
  less: 'less',
  lua: 'lua',
  mjs: 'javascript',
  ndjson: 'json',
  php: 'php',
  pl: 'perl',
  proto: 'protobuf',
  ps1: 'powershell',
  py: 'python',
  r: 'r',
  rb: 'ruby',
  rs: 'rust',
  scala: 'scala',
  scss: 'scss',
  sh: 'bash',
  sql: 'sql',
  swift: 'swift',
  tex: 'latex',
  toml: 'toml',
  ts: 'typescript',
  tsx: 'tsx',
  xml: 'xml',
  xsd: 'xml',
  xsl: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
};
const languageOfType: readonly (readonly [RegExp, string])[] = [
  [/json/, 'json'],
  [/xml/, 'xml'],
  [/yaml/, 'yaml'],
  [/toml/, 'toml'],
  [/typescript/, 'typescript'],
  [/javascript|ecmascript/, 'javascript'],
  [/python/, 'python'],
  [/\bsql/, 'sql'],
  [/css/, 'css'],
  [/x-sh|shellscript/, 'bash'],
  [/graphql/, 'graphql'],
  [/php/, 'php'],
];

/** Formats that break lines at 75 octets, also within words. The rest of a line begins with a space (RFC 5545, 3.1; RFC 6350, 3.2). */
const foldedTypes = new Set(['text/calendar', 'text/vcard']);

export const extractText: Engine = async ({ path, filename, contentType }) =>
  readPlainText({ bytes: await readFile(path), filename, contentType });

interface PlainText {
  bytes: Uint8Array;
  filename: string;
  contentType: string;
}

/** Escapes HTML in plain text. Source code and data go into a fence, so that they are not read as markdown. */
export function readPlainText({ bytes, filename, contentType }: PlainText): EngineOutput {
  const language = codeLanguage(contentType, filename);
  const declared = language === 'xml' ? declaredCharset(bytes) : null;
  const { text: decoded, encoding } = decodeText(bytes, charsetOf(contentType) ?? declared);
  const text = foldedTypes.has(bareContentType(contentType)) ? decoded.replace(/\n[ \t]/g, '') : decoded;
  const markdown = language === null || text.trim() === '' ? escapePlainText(text) : fencedBlock(text, language);
  const details = language === null ? { encoding } : { encoding, code_language: language };
  return {
    markdown,
    pages: null,
    pageCount: null,
    title: language === null ? null : filename,
    author: null,
    language: null,
    details,
  };
}

function codeLanguage(contentType: string, filename: string): string | null {
  const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? '';
  const byType = languageOfType.find(([pattern]) => pattern.test(bareContentType(contentType)));
  return byType?.[1] ?? languageOfExtension[extension] ?? null;
}
