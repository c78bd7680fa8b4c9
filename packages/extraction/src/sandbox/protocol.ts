/**
 * The messages between parent and child over IPC. An untrusted file may have compromised the child, so the parent validates all
 * messages.
 */
import { lstat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ExtractionError, type ExtractionErrorCode, isExtractionErrorCode } from '../extraction-error.js';
import type { DocumentMetadata, ExtractionInput, ExtractionOutput } from '../extractor.js';
import type { ExtractionLimits } from '../limits.js';

/** The only argument of the child, as JSON. */
export interface ChildSettings {
  parentPid: number;
  limits: ExtractionLimits;
}

export interface JobMessage {
  id: number;
  task: 'extract' | 'count_pages';
  input: ExtractionInput;
}

export type ChildMessage =
  | { type: 'ready' }
  | { type: 'done'; id: number; output: ExtractionOutput }
  | { type: 'counted'; id: number; pageCount: number | null }
  | { type: 'failed'; id: number; code: ExtractionErrorCode; message: string; retryable: boolean };

const messageCharactersMax = 2000;
const metadataCharactersMax = 256 * 1024;

export function parseChildMessage(value: unknown): ChildMessage | null {
  if (!isRecord(value)) return null;
  if (value['type'] === 'ready') return { type: 'ready' };
  if (typeof value['id'] !== 'number') return null;
  if (value['type'] === 'failed' && isExtractionErrorCode(value['code']) && typeof value['message'] === 'string') {
    return {
      type: 'failed',
      id: value['id'],
      code: value['code'],
      message: value['message'].slice(0, messageCharactersMax),
      retryable: value['retryable'] === true,
    };
  }
  const { pageCount } = value;
  if (value['type'] === 'counted' && (pageCount === null || isCount(pageCount))) {
    return { type: 'counted', id: value['id'], pageCount };
  }
  if (value['type'] === 'done' && isRecord(value['output'])) {
    return { type: 'done', id: value['id'], output: value['output'] as unknown as ExtractionOutput };
  }
  return null;
}

/** @throws ExtractionError unless the files of the output are in the output folder and within the limits. */
export async function checkOutput(
  input: ExtractionInput,
  output: ExtractionOutput,
  limits: ExtractionLimits,
): Promise<ExtractionOutput> {
  const markdownBytes = await sizeOfOutput(input, output.markdownPath);
  if (markdownBytes > limits.outputBytesMax) throw untrustworthy('its markdown is larger than allowed');
  if (output.pagesPath !== null && (await sizeOfOutput(input, output.pagesPath)) > limits.outputBytesMax)
    throw untrustworthy('its pages are larger than allowed');
  if (output.pageCount !== null && !isCount(output.pageCount)) throw untrustworthy('its page count is not a number');
  return {
    markdownPath: output.markdownPath,
    markdownBytes,
    pageCount: output.pageCount,
    pagesPath: output.pagesPath,
    metadata: checkMetadata(output.metadata),
  };
}

async function sizeOfOutput(input: ExtractionInput, path: unknown): Promise<number> {
  if (typeof path !== 'string' || dirname(resolve(path)) !== resolve(input.outputDirectory))
    throw untrustworthy('it wrote outside its folder');
  const found = await lstat(path).catch(() => null);
  // A symbolic link could lead the caller to any file that it can read.
  if (found === null || !found.isFile()) throw untrustworthy('its output is not a file');
  return found.size;
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
