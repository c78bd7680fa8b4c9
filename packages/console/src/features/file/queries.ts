import type { Kiln, Schemas } from '@kiln/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { cursorPages } from '../../api/cursor-pages.js';
import type { VariantType } from '../../ui/variants.js';

export type FileDetail = Schemas['File'];
export type Chunk = Schemas['ListFileChunksResponse']['chunks'][number];

const CHUNKS_READ = 100;

/** Signed URLs are valid for an hour. */
const URL_FRESH_MS = 30 * 60_000;

export const fileKeys = {
  one: (id: string) => ['file', id],
  summary: (id: string) => ['file', id, 'summary'],
  jobs: (id: string) => ['file', id, 'job'],
  chunks: (id: string) => ['file', id, 'chunks'],
  variants: (id: string) => ['file', id, 'variants'],
  content: (variantId: string) => ['variant-content', variantId],
} as const;

export const fileQuery = (kiln: Kiln, id: string) =>
  queryOptions({ queryKey: fileKeys.summary(id), queryFn: ({ signal }) => kiln.files.get(id, { signal }) });

export const jobQuery = (kiln: Kiln, id: string, jobId: string) =>
  queryOptions({
    queryKey: [...fileKeys.jobs(id), jobId],
    queryFn: ({ signal }) => kiln.jobs.get(jobId, {}, { signal }),
  });

/** With URLs for downloads. */
export const variantsQuery = (kiln: Kiln, id: string) =>
  queryOptions({
    queryKey: fileKeys.variants(id),
    queryFn: async ({ signal }) => (await kiln.variants.list(id, { signal })).variants,
    refetchInterval: URL_FRESH_MS,
  });

/** The content of a variant never changes: a later one has another id. Null if the file has no such variant. */
export const contentQuery = (kiln: Kiln, { id, variants }: Pick<FileDetail, 'id' | 'variants'>, type: VariantType) => {
  const summary = variants.find((variant) => variant.type === type);
  return queryOptions({
    queryKey: fileKeys.content(summary?.id ?? ''),
    queryFn: ({ signal }) => kiln.variants.get(id, type, { signal }),
    staleTime: Infinity,
    enabled: summary !== undefined,
  });
};

export const chunksQuery = (kiln: Kiln, id: string) =>
  infiniteQueryOptions({
    queryKey: fileKeys.chunks(id),
    ...cursorPages((cursor, options) => kiln.files.listChunks(id, { limit: CHUNKS_READ, ...cursor }, options)),
  });
