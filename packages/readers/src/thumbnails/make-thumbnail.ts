/** Chooses what a thumbnail shows, by the kind of document. Runs only in the sandbox. */
import { bareContentType, type DocumentKind } from '@kiln/file-types/content-type';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { corruptFile } from '../engine-failure.js';
import type { EngineInput } from '../engine.js';
import { epubCover, officePreview, openDocumentPreview } from './archive-pictures.js';
import { audioCover } from './audio-cover.js';
import { pdfThumbnail } from './pdf-thumbnail.js';
import { isBlank, pictureThumbnail } from './picture.js';

/** libvips is built without BMP, and without the patented codec that HEIC uses. HEIF with AV1 is shown. */
const notShown = new Set(['image/bmp', 'image/heic', 'image/heif']);

type MakeThumbnail = (kind: DocumentKind, input: EngineInput, signal: AbortSignal) => Promise<Buffer | null>;

/** The kinds for which `mayHaveThumbnail` can be true. */
const makers: Partial<Record<DocumentKind, MakeThumbnail>> = {
  image: (_kind, input) => imageThumbnail(input),
  pdf: (_kind, input) => pdfThumbnail(input),
  docx: async (...document) => shownPreview(await officePreview(...document)),
  pptx: async (...document) => shownPreview(await officePreview(...document)),
  xlsx: async (...document) => shownPreview(await officePreview(...document)),
  odt: async (...document) => shownPreview(await openDocumentPreview(...document)),
  odp: async (...document) => shownPreview(await openDocumentPreview(...document)),
  ods: async (...document) => shownPreview(await openDocumentPreview(...document)),
  epub: async (_kind, input, signal) => enclosedThumbnail(await epubCover(input, signal)),
  audio: async (_kind, input) => enclosedThumbnail(await audioCover(input)),
};

/** Null for a document without a picture. @throws ExtractionError, or the error of a library for a damaged document. */
export async function thumbnailOf(kind: DocumentKind, input: EngineInput, signal: AbortSignal): Promise<Buffer | null> {
  return (await makers[kind]?.(kind, input, signal)) ?? null;
}

/** Programs that generate documents copy the blank preview of their template. */
async function shownPreview(picture: Buffer | null): Promise<Buffer | null> {
  const preview = await enclosedThumbnail(picture);
  return preview === null || (await isBlank(preview)) ? null : preview;
}

async function imageThumbnail({ path, filename, contentType }: EngineInput): Promise<Buffer | null> {
  try {
    const image = await pictureThumbnail(path);
    if (image !== null || notShown.has(bareContentType(contentType))) return image;
    throw corruptFile('image', filename);
  } catch (error) {
    if (!(error instanceof Error) || !/pixel limit/.test(error.message)) throw error;
    throw new ExtractionError('file_too_large', `"${filename}" has too many pixels to be shown. Reduce its size.`, {
      cause: error,
    });
  }
}

/** A damaged picture does not make the document damaged. */
async function enclosedThumbnail(picture: Buffer | null): Promise<Buffer | null> {
  if (picture === null || picture.length === 0) return null;
  return pictureThumbnail(picture).catch(() => null);
}
