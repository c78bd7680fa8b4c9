import mammoth from 'mammoth';
import { corePropertiesPart, readCoreProperties } from '../archive/core-properties.js';
import { partTooLarge, ZipArchive } from '../archive/zip-archive.js';
import type { Engine, EngineInput } from '../engine.js';
import { corruptFile } from '../engine-failure.js';
import { parseHtml } from '../html/html-document.js';
import { toMarkdown } from '../html/html-to-markdown.js';
import { MalformedXmlError } from '../xml/xml-tokens.js';
import { assertPartBounds, PartBoundError } from './part-bounds.js';

const contentTypesPart = '[Content_Types].xml';
const readAsText = /\.(?:xml|rels)$/i;
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

/** The result has no pages: a docx has pages only after layout. */
export const extractDocx: Engine = async (input, signal) => {
  const properties = await ZipArchive.read(input, 'docx', signal, (archive) => checkParts(archive, input));
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

/** Checks each part that mammoth may read. */
async function checkParts(archive: ZipArchive, input: EngineInput): Promise<ReturnType<typeof readCoreProperties>> {
  let core: string | null = null;
  for (const name of archive.names.filter((part) => readAsText.test(part))) {
    const xml = await archive.text(name);
    if (xml === null) continue;
    assertReadable(input, xml);
    if (name === corePropertiesPart) core = xml;
  }
  if (!archive.has(contentTypesPart)) throw corruptFile('docx', input.filename);
  return readCoreProperties(core);
}

/** @throws ExtractionError file_too_large or corrupt_file */
function assertReadable(input: EngineInput, xml: string): void {
  try {
    assertPartBounds(xml);
  } catch (error) {
    if (error instanceof PartBoundError) throw partTooLarge(input, error.message);
    throw error instanceof MalformedXmlError ? corruptFile('docx', input.filename, error) : error;
  }
}
