// Writes the markdown, pages and metadata of a document to the files that the extractor port defines.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PageSpan } from '@kiln/pdf/markdown/paged-text';
import type { ExtractionInput, ExtractionOutput } from './extractor.js';
import { documentMetadata, type FoundMetadata } from './metadata/document-metadata.js';

export interface Finding extends FoundMetadata {
  pages: PageSpan[] | null;
}

export async function writeFiles(
  { outputDirectory }: ExtractionInput,
  found: Finding,
  markdownBytes: number,
): Promise<ExtractionOutput> {
  const markdownPath = join(outputDirectory, 'document.md');
  const pagesPath = found.pages === null ? null : join(outputDirectory, 'pages.json');
  const written = Promise.all([
    writeFile(markdownPath, found.markdown),
    pagesPath === null ? null : writeFile(pagesPath, JSON.stringify(found.pages)),
  ]);
  // The metadata is computed while the disk writes.
  const metadata = documentMetadata(found);
  await written;
  return { markdownPath, markdownBytes, pageCount: found.pageCount, metadata, pagesPath };
}
