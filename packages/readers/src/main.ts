#!/usr/bin/env node
// Reads the file in this process, because the user trusts it.
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printMarkdown } from '@kiln/pdf/print-markdown';
import { defaultLimits } from './limits.js';
import { createLocalExtractor } from './local-extractor.js';
import { SNIFFED_BYTES, sniffContentType } from '@kiln/file-types/sniff-content-type';

await printMarkdown(async (path, filename) => {
  const contentType = await sniffContentType({ head: await headOf(path), filename, claimed: null });
  const outputDirectory = await mkdtemp(join(tmpdir(), 'kiln-readers-'));
  try {
    const input = { path, filename, contentType, outputDirectory };
    const { markdownPath } = await createLocalExtractor(defaultLimits).extract(input, new AbortController().signal);
    return await readFile(markdownPath, 'utf8');
  } finally {
    await rm(outputDirectory, { recursive: true });
  }
});

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED_BYTES));
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
