// Reads small plain text and markdown in the calling process, without the sandbox. That is safe: the code is linear, and the files are small.
import { documentKindOf } from '@kiln/file-types/content-type';
import type { DocumentMetadata } from '../extractor.js';
import { documentMetadata } from '../metadata/document-metadata.js';
import { readMarkdown } from './markdown-engine.js';
import { readPlainText } from './text-engine.js';

export const SMALL_TEXT_BYTES_MAX = 262_144;

export interface SmallText {
  bytes: Uint8Array;
  filename: string;
  contentType: string;
}

/** Whether a file of this type and size is read without the sandbox. */
export function isSmallText(contentType: string, sizeBytes: number | null): boolean {
  const kind = documentKindOf(contentType);
  return (kind === 'markdown' || kind === 'text') && sizeBytes !== null && sizeBytes <= SMALL_TEXT_BYTES_MAX;
}

/** Returns the same markdown as the engines in the sandbox. */
export function readSmallText(input: SmallText): { markdown: string; metadata: DocumentMetadata } {
  if (input.bytes.length > SMALL_TEXT_BYTES_MAX) throw new RangeError('a larger text is read in the sandbox');
  const read = documentKindOf(input.contentType) === 'markdown' ? readMarkdown : readPlainText;
  const found = read(input);
  return { markdown: found.markdown, metadata: documentMetadata(found) };
}
