// Chunks and their vectors → the search service. The variant means that search can find the file, so it is added only after indexing.
import { formatTimestamp, textLanguageOf, type ChunkLine, type SearchableIndex } from '@kiln/contracts';
import { chunkLines } from '@kiln/chunks/chunk-lines';
import type { StoredEmbeddings } from '@kiln/chunks/embeddings-variant';
import { Readable } from 'node:stream';
import type { RunServices } from '../run-services.adapter.js';
import type { RunContext } from '../run-context.port.js';
import { chunkingOf, chunksOf } from './chunks.service.js';
import type { Extracted } from './stored-extraction.service.js';

const CONTENT_TYPE = 'application/json';
/** Limit on chunks that are sent with the call, as JSON. The chunks of a longer text are stored in the object store. */
const SENT_BYTES_MAX = 786_432;
const PIECE_CHARACTERS = 65_536;

interface Source {
  context: RunContext;
  extracted: Extracted;
  embeddings: StoredEmbeddings | null;
}

export class IndexStep {
  constructor(private readonly services: Pick<RunServices, 'index' | 'indexStored'>) {}

  /** `embeddings`: null when the file has none; then it is found by its text only. */
  async execute(context: RunContext, extracted: Extracted, embeddings: StoredEmbeddings | null): Promise<void> {
    const { outputs } = context;
    if (!outputs.wants('searchable-index')) return;
    const source = { context, extracted, embeddings: embeddings?.dimensions === 0 ? null : embeddings };
    const content = JSON.stringify(contentOf(source, await this.index(source)));
    const variant = { type: 'searchable-index', content_type: CONTENT_TYPE, provider: extracted.provider } as const;
    await outputs.add(variant, 'searchable-index.json', content);
  }

  private async index(source: Source): Promise<number> {
    const { context, extracted, embeddings } = source;
    const { job, file, outputs, policy } = context;
    const text = {
      job_number: file.job_number,
      space: file.space,
      filename: file.filename,
      title: extracted.metadata.title,
      content_type: file.content_type,
      metadata: file.metadata,
      ...(embeddings && { embedding: { model: embeddings.model, dimensions: embeddings.dimensions } }),
      language: textLanguageOf(await policy.searchLanguage(), extracted.metadata.language),
    };
    const chunks = extracted.markdown.length > SENT_BYTES_MAX ? null : await fewChunks(linesOf(source));
    if (chunks !== null) return this.services.index(job, { ...text, chunks, chunks_key: null });
    const lines = Readable.from(ndjson(linesOf(source)), { objectMode: false });
    const stored = await outputs.write('chunks.ndjson', lines, 'application/x-ndjson');
    return this.services.indexStored(job, { ...text, chunks: null, chunks_key: stored.key }, stored.sizeBytes);
  }
}

/** Also what a rebuild of the index needs besides the markdown and the embeddings. */
const contentOf = ({ context, extracted, embeddings }: Source, chunks: number): SearchableIndex => ({
  chunks,
  model: embeddings?.model ?? null,
  indexed_at: formatTimestamp(new Date()),
  source: {
    title: extracted.metadata.title,
    language: extracted.metadata.language,
    chunking: chunkingOf(context.job),
    pages: extracted.pages,
  },
});

const linesOf = ({ context, extracted, embeddings }: Source): AsyncGenerator<ChunkLine> =>
  chunkLines(chunksOf(context, extracted), embeddings);

/** Null when they do not fit in a message on the bus. */
async function fewChunks(lines: AsyncIterable<ChunkLine>): Promise<ChunkLine[] | null> {
  const chunks: ChunkLine[] = [];
  let bytes = 0;
  for await (const line of lines) {
    bytes += Buffer.byteLength(JSON.stringify(line));
    if (bytes > SENT_BYTES_MAX) return null;
    chunks.push(line);
  }
  return chunks;
}

/** In pieces of many lines, since each piece costs time in a stream. */
async function* ndjson(lines: AsyncIterable<ChunkLine>): AsyncGenerator<string> {
  let piece = '';
  for await (const line of lines) {
    piece += `${JSON.stringify(line)}\n`;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
