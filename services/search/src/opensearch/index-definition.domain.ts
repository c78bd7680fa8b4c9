// The index in OpenSearch. Kiln analyzes texts itself, and sends terms that are separated by spaces.
import { createHash } from 'node:crypto';
import { storedNumber, versionedDefinition } from './versioned-document.domain.js';

/** Texts with this boost score the number of passages with the term, others the number of its repeats in the passage. */
export const FREQUENCY_BOOST = 2;

/** More chunks than any file has. */
const CHUNKS_MAX = 1_000_000;
/** The most files that one request returns. */
export const FILES_PER_REQUEST_MAX = 20_000;
/** The most passages of one file that one request returns. */
export const PASSAGES_PER_FILE_MAX = 1_000;

const terms = { type: 'text', analyzer: 'whitespace', similarity: 'counts', norms: false } as const;

/** A document is a file. Its chunks are nested documents, so a file is replaced as a whole. */
export const indexDefinition = (shards: number, replicas: number) =>
  versionedDefinition({
    shards,
    replicas,
    index: {
      max_result_window: FILES_PER_REQUEST_MAX,
      max_inner_result_window: PASSAGES_PER_FILE_MAX,
      mapping: { nested_objects: { limit: CHUNKS_MAX } },
      similarity: {
        counts: {
          type: 'scripted',
          script: { source: `return query.boost == ${FREQUENCY_BOOST} ? term.docFreq : doc.freq;` },
        },
      },
    },
    properties: {
      tenant: { type: 'keyword' },
      file: { type: 'keyword' },
      job_number: storedNumber('long'),
      fence: storedNumber('long'),
      facets: { type: 'keyword', doc_values: false },
      title: terms,
      title_length: storedNumber('integer'),
      chunks: {
        type: 'nested',
        properties: { place: storedNumber('integer'), length: storedNumber('integer'), terms },
      },
    },
  });

/** Begins each term of the tenant, so that the frequency of a term is that of the tenant. */
export function tenantMark(tenantId: string): string {
  return `${createHash('sha256').update(tenantId).digest().subarray(0, 8).toString('base64url')}|`;
}

/** A file is unique with its tenant only. */
export const documentId = (tenantId: string, fileId: string) => `${tenantId}.${fileId}`;
