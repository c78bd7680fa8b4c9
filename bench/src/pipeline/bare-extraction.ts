// Extracts a document with its engine only: without queue, sandbox or storage.
import { defaultLimits } from '@kiln/extraction';
import { createLocalExtractor } from '@kiln/readers/local-extractor';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchDocument } from './documents.js';

/** Milliseconds of the loaded PDF engine. */
export async function extractBarely({ bytes, filename, contentType }: BenchDocument): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-bench-'));
  try {
    const path = join(folder, 'source');
    await writeFile(path, bytes);
    const extractor = createLocalExtractor(defaultLimits);
    const startedAt = performance.now();
    await extractor.extract({ path, filename, contentType, outputDirectory: folder }, new AbortController().signal);
    return performance.now() - startedAt;
  } finally {
    await rm(folder, { recursive: true });
  }
}
