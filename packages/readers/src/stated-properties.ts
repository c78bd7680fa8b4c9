/**
 * Reads the properties that documents state, without their text. A remote engine reads the text of these documents.
 * Runs only in the sandbox.
 */
import { readFile } from 'node:fs/promises';
import type { DocumentKind } from '@kiln/file-types/content-type';
import type { StatedProperties } from './extractor.js';
import { boundedFields, boundedText } from './metadata/bounded-fields.js';
import { readOfficeProperties } from './archive/office-properties.js';
import { ZipArchive } from './archive/zip-archive.js';
import type { EngineInput } from './engine.js';
import { readMeta } from './odf/odf-package.js';

export async function statedProperties(
  kind: DocumentKind,
  input: EngineInput,
  signal: AbortSignal,
): Promise<StatedProperties | null> {
  const read = readers[kind];
  if (read === undefined) return null;
  const { title, author, language, details } = await read(input, signal);
  return { title: shortened(title), author: shortened(author), language, details: boundedFields(details) };
}

type ReadProperties = (input: EngineInput, signal: AbortSignal) => Promise<StatedProperties>;

const office = (kind: DocumentKind): ReadProperties => {
  return (input, signal) => ZipArchive.read(input, kind, signal, readOfficeProperties);
};
const openDocument = (kind: DocumentKind): ReadProperties => {
  return (input, signal) => ZipArchive.read(input, kind, signal, (archive) => readMeta(archive, input));
};
const readers: Partial<Record<DocumentKind, ReadProperties>> = {
  pdf: pdfProperties,
  docx: office('docx'),
  pptx: office('pptx'),
  xlsx: office('xlsx'),
  odt: openDocument('odt'),
  odp: openDocument('odp'),
  ods: openDocument('ods'),
  image: async (input) => (await import('./image/image-properties.js')).readImage(input),
  audio: audioProperties,
};

async function pdfProperties({ path, filename }: EngineInput): Promise<StatedProperties> {
  const { withPdf } = await import('@kiln/pdf/pdfium-document');
  return withPdf(await readFile(path), filename, ({ properties }) => ({ ...properties, language: null }));
}

/** The engine reads properties only. A recording without a title gets its name as title. */
async function audioProperties(input: EngineInput, signal: AbortSignal): Promise<StatedProperties> {
  const { title, ...found } = await (await input.loadEngine('audio'))(input, signal);
  return { ...found, title: title === input.filename ? null : title };
}

const shortened = (text: string | null) => (text === null ? null : boundedText(text));
