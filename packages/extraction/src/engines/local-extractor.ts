/**
 * The extractor that runs the engines of this package. It parses untrusted bytes in the calling process, so only a child of
 * the sandbox may call it.
 */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentKindOf, isReadAsText } from '../content-type.js';
import { ExtractionError, unsupportedType } from '../extraction-error.js';
import type {
  ExtractionInput,
  ExtractionOutput,
  Extractor,
  PageCounter,
  PropertyReader,
  StatedProperties,
  ThumbnailMaker,
} from '../extractor.js';
import { type ExtractionLimits, formatBytes } from '../limits.js';
import { documentMetadata } from '../metadata/document-metadata.js';
import { mayHaveThumbnail } from '../thumbnails/thumbnail.js';
import { defaultOcr, type OcrSettings } from '../ocr/ocr-settings.js';
import type { EngineInput, EngineOutput } from './engine.js';
import { toExtractionError } from './engine-failure.js';
import { loadEngine } from './load-engine.js';

export type LocalExtractor = Extractor & PageCounter & ThumbnailMaker & PropertyReader;

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
  };
}

async function extract(input: ExtractionInput, settings: Settings, signal: AbortSignal): Promise<ExtractionOutput> {
  const kind = documentKindOf(input.contentType);
  if (kind === null) throw unsupportedType(input.filename, input.contentType);
  try {
    const { size } = await stat(input.path);
    const { limits } = settings;
    assertSize(input.filename, size, isReadAsText(kind) ? limits.textBytesMax : limits.inputBytesMax);
    const engine = await loadEngine(kind);
    const found = await engine(engineInput(input, size, settings), signal);
    return await writeOutput(input, found, settings.limits);
  } catch (error) {
    throw toExtractionError(error, kind, input.filename, signal);
  }
}

/** The page count in the catalog of a PDF, or the number of slides. A docx has no pages before layout. */
async function countPages(input: ExtractionInput, settings: Settings, signal: AbortSignal): Promise<number | null> {
  const kind = documentKindOf(input.contentType);
  if (kind !== 'pdf' && kind !== 'pptx') return null;
  try {
    const { size } = await stat(input.path);
    assertSize(input.filename, size, settings.limits.inputBytesMax);
    if (kind === 'pdf') return await countPdfPages(input);
    const { countSlides } = await import('./pptx/pptx-engine.js');
    return await countSlides(engineInput(input, size, settings), signal);
  } catch (error) {
    throw toExtractionError(error, kind, input.filename, signal);
  }
}

async function countPdfPages({ path, filename }: ExtractionInput): Promise<number> {
  const { openPdf } = await import('./pdf/pdfium-document.js');
  const document = await openPdf(await readFile(path), filename);
  try {
    return document.pageCount;
  } finally {
    document.close();
  }
}

async function makeThumbnail(input: ExtractionInput, settings: Settings, signal: AbortSignal): Promise<Buffer | null> {
  const kind = documentKindOf(input.contentType);
  if (kind === null || !mayHaveThumbnail(input.contentType)) return null;
  try {
    const { size } = await stat(input.path);
    assertSize(input.filename, size, settings.limits.inputBytesMax);
    const { thumbnailOf } = await import('../thumbnails/make-thumbnail.js');
    return await thumbnailOf(kind, engineInput(input, size, settings), signal);
  } catch (error) {
    throw toExtractionError(error, kind, input.filename, signal);
  }
}

async function readProperties(
  input: ExtractionInput,
  settings: Settings,
  signal: AbortSignal,
): Promise<StatedProperties | null> {
  const kind = documentKindOf(input.contentType);
  if (kind === null || isReadAsText(kind)) return null;
  try {
    const { size } = await stat(input.path);
    assertSize(input.filename, size, settings.limits.inputBytesMax);
    const { statedProperties } = await import('./stated-properties.js');
    return await statedProperties(kind, engineInput(input, size, settings), signal);
  } catch (error) {
    throw toExtractionError(error, kind, input.filename, signal);
  }
}

function engineInput(input: ExtractionInput, bytes: number, { limits, ocr }: Settings): EngineInput {
  const { path, filename, contentType, outputDirectory } = input;
  return { path, filename, contentType, bytes, limits, ocr, scratchDirectory: outputDirectory, loadEngine, depth: 0 };
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
  const markdownPath = join(input.outputDirectory, 'document.md');
  const pagesPath = found.pages === null ? null : join(input.outputDirectory, 'pages.json');
  const written = Promise.all([
    writeFile(markdownPath, found.markdown),
    pagesPath === null ? null : writeFile(pagesPath, JSON.stringify(found.pages)),
  ]);
  // Computed while the disk writes.
  const metadata = documentMetadata(found);
  await written;
  return { markdownPath, markdownBytes, pageCount: found.pageCount, metadata, pagesPath };
}
