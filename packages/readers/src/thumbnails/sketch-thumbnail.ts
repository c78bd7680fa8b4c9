/** A sketch of the first page, slide or sheet that has text, for documents without a picture of themselves. */
import type { DocumentKind } from '../content-type.js';
import type { EngineInput } from '../engine.js';
import { pdfThumbnail } from './pdf-thumbnail.js';
import { sketchMarkdown, type pageSizes } from './sketch/sketch-markdown.js';

const pageKinds: Partial<Record<DocumentKind, keyof typeof pageSizes>> = {
  docx: 'page',
  odt: 'page',
  rtf: 'page',
  pptx: 'slide',
  odp: 'slide',
  xlsx: 'sheet',
  ods: 'sheet',
  csv: 'sheet',
};

/** Null for other kinds, and for a document without text. */
export async function sketchThumbnail(
  kind: DocumentKind,
  input: EngineInput,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const pageKind = pageKinds[kind];
  if (pageKind === undefined) return null;
  const { markdown, pages } = await (await input.loadEngine(kind))(input, signal);
  const texts = pages === null ? [markdown] : pages.map(({ start, end }) => markdown.slice(start, end));
  const first = texts.find((text) => text.trim() !== '');
  return first === undefined ? null : pdfThumbnail(sketchMarkdown(first.trim(), pageKind), input.filename);
}
