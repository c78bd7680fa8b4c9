/**
 * The messages between parent and child. Jobs go to the standard input of the child, as lines of JSON. Messages come back over
 * another pipe: four bytes with their length (big endian), then JSON. The bytes of a result's files follow its message, so that
 * parent and child have no folder to which both can write. An untrusted file may have compromised the child: the parent validates
 * everything.
 */
import { ExtractionError, type ExtractionErrorCode, isReportedCode } from '@kiln/pdf/extraction-error';
import type { DocumentMetadata, PageToDraw, StatedProperties } from '@kiln/readers/extractor';
import type { ExtractionLimits } from '@kiln/readers/limits';
import { isPng, PAGE_IMAGE_BYTES_MAX } from '@kiln/readers/page-images/page-image';
import { isWebp, THUMBNAIL_BYTES_MAX } from '@kiln/readers/thumbnails/thumbnail';
import type { OcrSettings } from '@kiln/ocr/ocr-settings';

/** The only argument of the child, as JSON. */
export interface ChildSettings {
  /** For a child that has to watch its parent itself. Null where the kernel ends it with its parent. */
  parentPid: number | null;
  documentPath: string;
  workDirectory: string;
  limits: ExtractionLimits;
  ocr: Pick<OcrSettings, 'languages' | 'dataDirectory'>;
}

/** The work on a document. */
export type Task =
  | { task: 'extract' | 'count_pages' | 'make_thumbnail' | 'read_properties' }
  | ({ task: 'draw_page' } & PageToDraw);

export type JobMessage = Task & {
  filename: string;
  contentType: string;
};

/** The child's end of the pipe to its parent. Not standard output, to which libraries may print. */
export const MESSAGE_FD = 3;
export const MESSAGE_HEADER_BYTES = 4;
export const MESSAGE_BYTES_MAX = 1024 * 1024;

/** The files of a result: the field of `ExtractionOutput` that has its path, and its name. Sent in this order. */
export const resultFiles = [
  ['markdownPath', 'document.md'],
  ['pagesPath', 'pages.json'],
] as const;

/** Sizes in bytes. Null: the document has no pages. */
export interface FileSizes {
  markdownPath: number;
  pagesPath: number | null;
}

export interface ChildResult {
  pageCount: number | null;
  metadata: DocumentMetadata;
  sizes: FileSizes;
}

export type ChildMessage =
  | { type: 'ready' }
  | { type: 'done'; result: ChildResult }
  /** The text of one more page was recognized in its picture. The answer follows later. */
  | { type: 'recognized' }
  | { type: 'counted'; pageCount: number | null }
  /** Null: the type has none that can be read without its text. */
  | { type: 'described'; properties: StatedProperties | null }
  /** In base64. Null: the document has no picture of itself. */
  | { type: 'pictured'; image: string | null }
  /** The bytes of the image follow. Null: the document has fewer pages. */
  | { type: 'drawn'; pageCount: number; sizeBytes: number | null }
  | { type: 'failed'; code: ExtractionErrorCode; message: string; retryable: boolean };

const messageCharactersMax = 2000;
const metadataCharactersMax = 256 * 1024;

export function parseChildMessage(value: unknown): ChildMessage | null {
  if (!isRecord(value)) return null;
  const { type } = value;
  if (type === 'ready' || type === 'recognized') return { type };
  if (type === 'failed' && isReportedCode(value['code']) && typeof value['message'] === 'string') {
    return {
      type: 'failed',
      code: value['code'],
      message: value['message'].slice(0, messageCharactersMax),
      retryable: value['retryable'] === true,
    };
  }
  const { pageCount } = value;
  if (type === 'counted' && (pageCount === null || isCount(pageCount))) {
    return { type: 'counted', pageCount };
  }
  const { sizeBytes } = value;
  if (type === 'drawn' && isCount(pageCount) && (sizeBytes === null || isCount(sizeBytes)))
    return { type: 'drawn', pageCount, sizeBytes };
  const { image } = value;
  if (type === 'pictured' && (image === null || typeof image === 'string')) return { type: 'pictured', image };
  const { properties } = value;
  if (type === 'described' && (properties === null || isRecord(properties))) {
    return { type: 'described', properties: properties as StatedProperties | null };
  }
  if (type === 'done' && isRecord(value['result'])) {
    return { type: 'done', result: value['result'] as unknown as ChildResult };
  }
  return null;
}

/** @throws ExtractionError unless the result has the fields of its type and its files are within the limits. */
export function checkResult(result: ChildResult, limits: ExtractionLimits): ChildResult {
  if (result.pageCount !== null && !isCount(result.pageCount)) throw untrustworthy('its page count is not a number');
  if (!isRecord(result.sizes)) throw untrustworthy('it has no files');
  const { markdownPath, pagesPath } = result.sizes;
  if (!isCount(markdownPath) || markdownPath > limits.outputBytesMax)
    throw untrustworthy('its markdown is larger than allowed');
  if (pagesPath !== null && (!isCount(pagesPath) || pagesPath > limits.outputBytesMax))
    throw untrustworthy('its pages are larger than allowed');
  return {
    pageCount: result.pageCount,
    metadata: checkMetadata(result.metadata),
    sizes: { markdownPath, pagesPath },
  };
}

/** @throws ExtractionError unless the answer is a WebP image of an allowed size, or null. */
export function checkThumbnail(answer: ChildMessage): Buffer | null {
  if (answer.type !== 'pictured') throw untrustworthy('it returned no thumbnail');
  if (answer.image === null) return null;
  const bytes = Buffer.from(answer.image, 'base64');
  if (bytes.length > THUMBNAIL_BYTES_MAX) throw untrustworthy('its thumbnail is larger than allowed');
  if (!isWebp(bytes)) throw untrustworthy('its thumbnail is not an image');
  return bytes;
}

/** @throws ExtractionError unless the answer announces an image of an allowed size, or none. */
export function checkDrawn(answer: ChildMessage): Extract<ChildMessage, { type: 'drawn' }> {
  if (answer.type !== 'drawn') throw untrustworthy('it returned no page');
  if ((answer.sizeBytes ?? 0) > PAGE_IMAGE_BYTES_MAX) throw untrustworthy('its page is larger than allowed');
  return answer;
}

/** @throws ExtractionError unless these are the bytes of an image. */
export function checkPageImage(bytes: Buffer): Buffer {
  if (!isPng(bytes)) throw untrustworthy('its page is not an image');
  return bytes;
}

/** @throws ExtractionError unless the answer has the fields of its type. */
export function checkProperties(answer: ChildMessage): StatedProperties | null {
  if (answer.type !== 'described') throw untrustworthy('it returned no properties');
  const { properties } = answer;
  if (properties === null) return null;
  const { title, author, language, details } = properties;
  if (!isRecord(details) || JSON.stringify(properties).length > metadataCharactersMax)
    throw untrustworthy('its properties are not usable');
  return { title: textOrNull(title), author: textOrNull(author), language: textOrNull(language), details };
}

function checkMetadata(value: unknown): DocumentMetadata {
  if (!isRecord(value) || JSON.stringify(value).length > metadataCharactersMax)
    throw untrustworthy('its metadata is not usable');
  return {
    ...value,
    title: textOrNull(value['title']),
    author: textOrNull(value['author']),
    page_count: isCount(value['page_count']) ? value['page_count'] : null,
    language: textOrNull(value['language']),
    word_count: isCount(value['word_count']) ? value['word_count'] : 0,
  };
}

export function untrustworthy(reason: string): ExtractionError {
  return new ExtractionError(
    'internal',
    `The reader of this file broke its contract: ${reason}. Report the file to the operator.`,
    { retryable: false },
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
