import { open } from 'node:fs/promises';
import mammoth from 'mammoth';
import { ExtractionError } from '../../extraction-error.js';
import type { Engine, EngineInput } from '../engine.js';
import { corruptFile } from '../engine-failure.js';
import { parseHtml } from '../html/html-document.js';
import { toMarkdown } from '../html/html-to-markdown.js';
import { corePropertiesPart, readCoreProperties } from './core-properties.js';
import { checkArchive } from './zip-bounds.js';

const contentTypesPart = '[Content_Types].xml';
/** Styles that Word writes and mammoth does not map by itself. */
const styleMap = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p > em:fresh",
  "p[style-name='Quote'] => blockquote:fresh",
  "p[style-name='Intense Quote'] => blockquote:fresh",
  "r[style-name='Code'] => code",
  'u => ',
  'strike => s',
];
/** The first bytes of an encrypted office file: a compound file ([MS-OFFCRYPTO]) instead of a zip. */
const compoundFileMagic = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/** The result has no pages: a docx has pages only after layout. */
export const extractDocx: Engine = async (input, signal) => {
  await assertNotEncrypted(input);
  const archive = await checkArchive(input, [corePropertiesPart], signal);
  if (!archive.names.has(contentTypesPart)) throw corruptFile('docx', input.filename);
  const properties = readCoreProperties(archive.parts.get(corePropertiesPart));
  const { value: html } = await mammoth.convertToHtml(
    { path: input.path },
    {
      styleMap,
      // A document can contain any number of rules, which mammoth tries on each paragraph.
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
    },
  );
  return {
    markdown: toMarkdown(parseHtml(html, input.filename), input.filename, input.limits.outputBytesMax),
    pages: null,
    pageCount: null,
    title: properties.title,
    author: properties.author,
    language: properties.language,
    details: properties.details,
  };
};

async function assertNotEncrypted(input: EngineInput): Promise<void> {
  const file = await open(input.path);
  try {
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(compoundFileMagic.length),
      0,
      compoundFileMagic.length,
      0,
    );
    if (bytesRead < compoundFileMagic.length || !buffer.equals(compoundFileMagic)) return;
  } finally {
    await file.close();
  }
  throw new ExtractionError(
    'encrypted_file',
    `"${input.filename}" is protected by a password. Remove the protection and upload it again.`,
  );
}
