// Chunks → the search service. The variant means that search can find the file, so it is added only after indexing.
import { textLanguageOf, type ChunkLine } from '@kiln/contracts';
import { Readable } from 'node:stream';
import type { RunServices } from '../run-services.adapter.js';
import type { RunContext } from '../run-context.js';
import { chunksOf } from './chunks.js';
import type { Extracted } from './stored-extraction.js';

const CONTENT_TYPE = 'application/json';
/** Limit on chunks that are sent with the call, as JSON. Those of a longer text are stored in the object store. */
const SENT_BYTES_MAX = 786_432;
const PIECE_CHARACTERS = 65_536;

export class IndexStep {
  constructor(private readonly services: Pick<RunServices, 'index' | 'indexStored'>) {}

  async execute(context: RunContext, extracted: Extracted): Promise<void> {
    const { outputs } = context;
    if (!outputs.wants('searchable-index')) return;
    const chunks = await this.index(context, extracted);
    const content = JSON.stringify({ chunks, model: null, indexed_at: new Date().toISOString() });
    const variant = { type: 'searchable-index', content_type: CONTENT_TYPE, provider: extracted.provider } as const;
    await outputs.add(variant, 'searchable-index.json', content);
  }

  private async index(context: RunContext, extracted: Extracted): Promise<number> {
    const { job, file, outputs, policy } = context;
    const text = {
      job_number: file.job_number,
      space: file.space,
      filename: file.filename,
      title: extracted.metadata.title,
      content_type: file.content_type,
      metadata: file.metadata,
      language: textLanguageOf(await policy.searchLanguage(), extracted.metadata.language),
    };
    const chunks = extracted.markdown.length > SENT_BYTES_MAX ? null : fewChunks(chunkLines(context, extracted));
    if (chunks !== null) return this.services.index(job, { ...text, chunks, chunks_key: null });
    const lines = Readable.from(ndjson(chunkLines(context, extracted)), { objectMode: false });
    const stored = await outputs.write('chunks.ndjson', lines, 'application/x-ndjson');
    return this.services.indexStored(job, { ...text, chunks: null, chunks_key: stored.key }, stored.sizeBytes);
  }
}

function* chunkLines(context: RunContext, extracted: Extracted): Generator<ChunkLine> {
  for (const { index, text, start, end, page, headingPath } of chunksOf(context, extracted)) {
    yield { index, text, start, end, page, heading_path: headingPath };
  }
}

/** Null when they do not fit in a message on the bus. */
function fewChunks(lines: Iterable<ChunkLine>): ChunkLine[] | null {
  const chunks: ChunkLine[] = [];
  let bytes = 0;
  for (const line of lines) {
    bytes += Buffer.byteLength(JSON.stringify(line));
    if (bytes > SENT_BYTES_MAX) return null;
    chunks.push(line);
  }
  return chunks;
}

/** In pieces of many lines, since each piece costs time in a stream. */
function* ndjson(lines: Iterable<ChunkLine>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += `${JSON.stringify(line)}\n`;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
