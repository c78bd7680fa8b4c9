// Selects the parts that a completion names, and validates them.
import { createHash } from 'node:crypto';
import { S3Error } from '../s3-errors.js';
import type { Part } from './upload-parts.js';

export interface CompletionRequest {
  parts: readonly { partNumber: number; etag: string }[];
  partBytesMin: number;
  objectBytesMax: number;
  nowMs: number;
}

export interface ChosenParts {
  /** In order of their numbers. */
  parts: Part[];
  sizeBytes: number;
  etag: string;
}

export function chooseParts(recorded: readonly Part[], request: CompletionRequest): ChosenParts {
  const { parts: named, partBytesMin, objectBytesMax } = request;
  if (named.length === 0) throw new S3Error('MalformedXML', 'An upload needs at least one part.');
  if (named.some(({ partNumber }, at) => partNumber <= (named[at - 1]?.partNumber ?? 0)))
    throw new S3Error('InvalidPartOrder');
  const byNumber = new Map(recorded.map((part) => [part.partNumber, part]));
  const parts: Part[] = [];
  const hash = createHash('md5');
  let sizeBytes = 0;
  for (const [position, { partNumber, etag }] of named.entries()) {
    const part = byNumber.get(partNumber);
    if (part?.etag !== etag) throw new S3Error('InvalidPart');
    if (part.sizeBytes < partBytesMin && position < named.length - 1) throw new S3Error('EntityTooSmall');
    sizeBytes += part.sizeBytes;
    hash.update(part.etag, 'hex');
    parts.push(part);
  }
  if (sizeBytes > objectBytesMax) throw new S3Error('EntityTooLarge');
  return { parts, sizeBytes, etag: `${hash.digest('hex')}-${parts.length}` };
}
