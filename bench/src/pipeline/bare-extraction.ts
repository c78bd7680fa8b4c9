// Extracts a document with its engine only: without queue, sandbox or storage.
import { loadEngine } from '@kiln/extraction/engines';
import { defaultLimits } from '@kiln/extraction';
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
    const extract = await loadEngine('pdf');
    const startedAt = performance.now();
    const input = {
      path,
      filename,
      contentType,
      bytes: bytes.length,
      limits: defaultLimits,
      scratchDirectory: folder,
      loadEngine,
      depth: 0,
    };
    await extract(input, new AbortController().signal);
    return performance.now() - startedAt;
  } finally {
    await rm(folder, { recursive: true });
  }
}
