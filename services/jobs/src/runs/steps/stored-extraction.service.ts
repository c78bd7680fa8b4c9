// The result of an extraction in the object store, for later runs of the job: the markdown and its details.
import { pageSpanSchema, providerSchema } from '@kiln/contracts';
import type { DocumentMetadata, ExtractionOutput, ExtractionProvider, PageSpan } from '@kiln/extraction';
import type { ObjectStore } from '@kiln/storage';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { allDone } from '../domain/all-done.js';
import { NoTextRoom } from '../domain/no-text-room.js';
import type { RunContext } from '../run-context.port.js';
import type { RunOutputs, StoredOutput } from '../run-outputs.service.js';

export interface Extracted {
  markdown: string;
  metadata: DocumentMetadata;
  pages: PageSpan[];
  provider: ExtractionProvider;
  /** The SHA-256 of the bytes that were read. */
  sha256: string;
}

export const MARKDOWN_NAME = 'markdown.md';
export const MARKDOWN_TYPE = 'text/markdown';
const DETAILS_NAME = 'extraction.json';
/** The lines of pages are short lists of numbers. As objects they take about three times their length as JSON. */
const MEMORY_PER_JSON_BYTE = 3;

const usedSchema = z.object({
  key: z.enum(['managed', 'organization']),
  page_count: z.int().nullable(),
  characters: z.int(),
  duration_seconds: z.number().nullable(),
});

const detailsSchema = z.object({
  metadata: z.custom<DocumentMetadata>((value) => typeof value === 'object' && value !== null),
  pages: z.array(pageSpanSchema),
  provider: providerSchema,
  /** The usage of the extraction. */
  used: usedSchema,
  sha256: z.string(),
});

export type ExtractionDetails = z.output<typeof detailsSchema>;

/** Stores both under the run. Returns where the markdown is. */
export async function storeExtraction(
  outputs: RunOutputs,
  details: ExtractionDetails,
  markdown: string | Readable,
): Promise<StoredOutput> {
  const [stored] = await allDone([
    outputs.write(MARKDOWN_NAME, markdown, MARKDOWN_TYPE),
    outputs.write(DETAILS_NAME, JSON.stringify(details), 'application/json'),
  ]);
  return stored;
}

/** The key of the markdown that an earlier run of the job has stored, with its details beside it. */
export async function findStored(outputs: RunOutputs): Promise<string | null> {
  return outputs.committedKey('markdown') ?? (await outputs.findEarlier(MARKDOWN_NAME, DETAILS_NAME));
}

export async function readStored(
  objects: Pick<ObjectStore, 'get' | 'head'>,
  markdownKey: string,
  { signal, holdText }: Pick<RunContext, 'signal' | 'holdText'>,
): Promise<{ details: ExtractionDetails; markdown: string }> {
  const detailsKey = markdownKey.slice(0, -MARKDOWN_NAME.length) + DETAILS_NAME;
  const sizeOf = async (key: string) => (await objects.head(key))?.sizeBytes ?? 0;
  const [markdownBytes, detailsBytes] = await Promise.all([sizeOf(markdownKey), sizeOf(detailsKey)]);
  await holdText(markdownBytes + detailsBytes * MEMORY_PER_JSON_BYTE);
  const details = await text((await objects.get(detailsKey, { signal })).body);
  const markdown = await text((await objects.get(markdownKey, { signal })).body);
  return { details: detailsSchema.parse(JSON.parse(details)), markdown };
}

/** Stores the result from disk when there is no memory for it, so that a later run of the job need not read the file again. */
export async function holdTextOrStore(
  context: RunContext,
  { markdownPath, markdownBytes, pagesPath }: ExtractionOutput,
  detailsOf: (characters: number) => Promise<ExtractionDetails>,
): Promise<void> {
  const pagesBytes = pagesPath === null ? 0 : (await stat(pagesPath)).size;
  try {
    await context.holdText(markdownBytes + pagesBytes * MEMORY_PER_JSON_BYTE);
  } catch (error) {
    if (!(error instanceof NoTextRoom)) throw error;
    const details = await detailsOf(await charactersOf(markdownPath));
    await storeExtraction(context.outputs, details, createReadStream(markdownPath));
    throw error;
  }
}

export async function readPages({ pagesPath }: Pick<ExtractionOutput, 'pagesPath'>): Promise<PageSpan[]> {
  return pagesPath === null ? [] : (JSON.parse(await readFile(pagesPath, 'utf8')) as PageSpan[]);
}

async function charactersOf(path: string): Promise<number> {
  let characters = 0;
  for await (const text of createReadStream(path, 'utf8') as AsyncIterable<string>) characters += text.length;
  return characters;
}
