// Writes the result of a remote engine to the files that the extractor port defines.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExtractionError } from '../extraction-error.js';
import type { ExtractionInput, ExtractionOutput, PageSpan } from '../extractor.js';
import { formatBytes } from '../limits.js';
import { documentMetadata, type FoundMetadata } from '../metadata/document-metadata.js';

export interface RemoteFinding extends FoundMetadata {
  pages: PageSpan[] | null;
}

export async function writeExtraction(
  input: ExtractionInput,
  found: RemoteFinding,
  outputBytesMax: number,
): Promise<ExtractionOutput> {
  const markdownBytes = Buffer.byteLength(found.markdown);
  if (markdownBytes > outputBytesMax) throw tooMuchText(input.filename, outputBytesMax);
  const markdownPath = join(input.outputDirectory, 'document.md');
  await writeFile(markdownPath, found.markdown);
  const pagesPath = found.pages === null ? null : join(input.outputDirectory, 'pages.json');
  if (pagesPath !== null) await writeFile(pagesPath, JSON.stringify(found.pages));
  return { markdownPath, markdownBytes, pageCount: found.pageCount, metadata: documentMetadata(found), pagesPath };
}

export function tooMuchText(filename: string, outputBytesMax: number): ExtractionError {
  return new ExtractionError(
    'file_too_large',
    `"${filename}" becomes more than ${formatBytes(outputBytesMax)} of markdown. Split it into smaller files.`,
  );
}
