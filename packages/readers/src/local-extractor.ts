/**
 * The extractor that runs the engines of this package. It parses untrusted bytes in the calling process, so only a child of
 * the sandbox may call it.
 */
import { readFile, stat } from 'node:fs/promises';
import { documentKindOf, type DocumentKind, isReadAsText } from '@kiln/file-types/content-type';
import { ExtractionError, unsupportedType } from '@kiln/pdf/extraction-error';
import type {
  ExtractionInput,
  ExtractionOutput,
  Extractor,
  PageCounter,
  PageDrawer,
  PageImage,
  PageToDraw,
  PropertyReader,
  StatedProperties,
  ThumbnailMaker,
} from './extractor.js';
import { type ExtractionLimits } from './limits.js';
import { formatBytes } from '@kiln/pdf/format-bytes';
import { hasDrawnPages } from './page-images/page-image.js';
import { mayHaveThumbnail } from './thumbnails/thumbnail.js';
import { defaultOcr, type OcrSettings } from '@kiln/ocr/ocr-settings';
import type { EngineInput, EngineOutput } from './engine.js';
import { toExtractionError } from './engine-failure.js';
import { loadEngine } from './load-engine.js';
import { writeFiles } from './write-files.js';

export type LocalExtractor = Extractor & PageCounter & ThumbnailMaker & PropertyReader & PageDrawer;

interface Settings {
  limits: ExtractionLimits;
  ocr: OcrSettings;
}

export function createLocalExtractor(limits: ExtractionLimits, ocr: OcrSettings = defaultOcr): LocalExtractor {
  const settings = { limits, ocr };
  return {
    name: 'local',
    supports: (contentType) => documentKindOf(contentType) !== null,
    extract: (input, signal) => extract(input, settings, signal),
    countPages: (input, signal) => countPages(input, settings, signal),
    makeThumbnail: (input, signal) => makeThumbnail(input, settings, signal),
    readProperties: (input, signal) => readProperties(input, settings, signal),
    drawPage: (input, place, signal) => drawPage(input, place, { settings, signal }),
  };
}

async function extract(input: ExtractionInput, settings: Settings, signal: AbortSignal): Promise<ExtractionOutput> {
  const kind = documentKindOf(input.contentType);
  if (kind === null) throw unsupportedType(input.filename, input.contentType);
  const { limits } = settings;
  const bytesMax = isReadAsText(kind) ? limits.textBytesMax : limits.inputBytesMax;
  return withEngineInput({ input, kind, bytesMax, settings, signal }, async (opened) => {
    const engine = await loadEngine(kind);
    return writeOutput(input, await engine(opened, signal), limits);
  });
}

/** The page count in the catalog of a PDF, or the number of slides. A docx has no pages before layout. */
async function countPages(input: ExtractionInput, settings: Settings, signal: AbortSignal): Promise<number | null> {
  const kind = documentKindOf(input.contentType);
  if (kind !== 'pdf' && kind !== 'pptx') return null;
  return withEngineInput({ input, kind, settings, signal }, async (opened) => {
    if (kind === 'pptx') return (await import('./pptx/pptx-engine.js')).countSlides(opened, signal);
    const { withPdf } = await import('@kiln/pdf/pdfium-document');
    return withPdf(await readFile(input.path), input.filename, ({ pageCount }) => pageCount);
  });
}

async function makeThumbnail(input: ExtractionInput, settings: Settings, signal: AbortSignal): Promise<Buffer | null> {
  const kind = documentKindOf(input.contentType);
  if (kind === null || !mayHaveThumbnail(input.contentType)) return null;
  return withEngineInput({ input, kind, settings, signal }, async (opened) => {
    const { thumbnailOf } = await import('./thumbnails/make-thumbnail.js');
    return thumbnailOf(kind, opened, signal);
  });
}

async function drawPage(
  input: ExtractionInput,
  place: PageToDraw,
  reading: Pick<Reading, 'settings' | 'signal'>,
): Promise<PageImage> {
  const kind = documentKindOf(input.contentType);
  if (kind === null || !hasDrawnPages(input.contentType)) throw unsupportedType(input.filename, input.contentType);
  return withEngineInput({ input, kind, ...reading }, async (opened) => {
    const { pageImageOf } = await import('./page-images/draw-page-image.js');
    return pageImageOf(kind, opened, place);
  });
}

async function readProperties(
  input: ExtractionInput,
  settings: Settings,
  signal: AbortSignal,
): Promise<StatedProperties | null> {
  const kind = documentKindOf(input.contentType);
  if (kind === null || isReadAsText(kind)) return null;
  return withEngineInput({ input, kind, settings, signal }, async (opened) => {
    const { statedProperties } = await import('./stated-properties.js');
    return statedProperties(kind, opened, signal);
  });
}

interface Reading {
  input: ExtractionInput;
  kind: DocumentKind;
  /** The default is `inputBytesMax`. */
  bytesMax?: number;
  settings: Settings;
  signal: AbortSignal;
}

async function withEngineInput<Result>(
  { input, kind, settings: { limits, ocr }, bytesMax = limits.inputBytesMax, signal }: Reading,
  use: (input: EngineInput) => Promise<Result>,
): Promise<Result> {
  const { path, filename, contentType, outputDirectory: scratchDirectory } = input;
  try {
    const { size: bytes } = await stat(path);
    assertSize(filename, bytes, bytesMax);
    return await use({ path, filename, contentType, bytes, limits, ocr, scratchDirectory, loadEngine, depth: 0 });
  } catch (error) {
    throw toExtractionError(error, kind, filename, signal);
  }
}

function assertSize(filename: string, bytes: number, bytesMax: number): void {
  if (bytes > bytesMax) {
    throw new ExtractionError(
      'file_too_large',
      `"${filename}" has ${formatBytes(bytes)}; files of its type are read up to ${formatBytes(bytesMax)}. Split it into smaller files.`,
    );
  }
}

async function writeOutput(
  input: ExtractionInput,
  found: EngineOutput,
  limits: ExtractionLimits,
): Promise<ExtractionOutput> {
  const markdownBytes = Buffer.byteLength(found.markdown);
  if (markdownBytes > limits.outputBytesMax) {
    throw new ExtractionError(
      'file_too_large',
      `"${input.filename}" becomes ${formatBytes(markdownBytes)} of markdown; the limit is ${formatBytes(limits.outputBytesMax)}. Split it into smaller files.`,
    );
  }
  return writeFiles(input, found, markdownBytes);
}
