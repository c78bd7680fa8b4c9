// Markdown → chunks → search. The chunks travel by reference: an NDJSON object that search reads. Once this step is done,
// search finds the file.
import { searchOperations, type ChunkLine } from '@kiln/contracts';
import type { RpcClient } from '@kiln/platform';
import { Readable } from 'node:stream';
import { committedKey, OutputStore, wants, type StoredOutput } from '../output-store.js';
import type { RunContext } from '../run-context.js';
import { chunksOf } from './chunks.js';
import type { Extracted } from './extract.step.js';

const CONTENT_TYPE = 'application/json';
/** Ten times what indexing was seen to take: a search process that died must not hold the job for minutes. */
const INDEX_BASE_MS = 15_000;
const INDEX_BYTES_PER_MS = 200;

export class IndexStep {
  constructor(
    private readonly outputs: OutputStore,
    private readonly rpc: RpcClient,
  ) {}

  async execute(context: RunContext, extracted: Extracted): Promise<void> {
    if (!wants(context, 'searchable-index') || committedKey(context, 'searchable-index') !== null) return;
    const lines = Readable.from(chunkLines(context, extracted), { objectMode: false });
    const chunksObject = await this.outputs.write(context, 'chunks.ndjson', lines, 'application/x-ndjson');
    const { chunks } = await this.index(context, extracted, chunksObject);
    const content = JSON.stringify({ chunks, model: null, indexed_at: new Date().toISOString() });
    const stored = await this.outputs.write(context, 'searchable-index.json', content, CONTENT_TYPE);
    await this.outputs.commitVariant(context, {
      type: 'searchable-index',
      contentType: CONTENT_TYPE,
      stored,
      provider: extracted.provider,
    });
  }

  private index(context: RunContext, extracted: Extracted, chunks: StoredOutput) {
    const { file, run } = context;
    return this.rpc.call(
      searchOperations.indexFile,
      {
        ...run,
        job_number: file.job_number,
        space: file.space,
        filename: file.filename,
        title: extracted.metadata.title,
        content_type: file.content_type,
        metadata: file.metadata,
        chunks_key: chunks.key,
      },
      context.callContext(INDEX_BASE_MS + Math.ceil(chunks.sizeBytes / INDEX_BYTES_PER_MS)),
    );
  }
}

function* chunkLines(context: RunContext, extracted: Extracted): Generator<string> {
  for (const piece of chunksOf(context, extracted)) {
    const line: ChunkLine = {
      index: piece.index,
      text: piece.text,
      start: piece.start,
      end: piece.end,
      page: piece.page,
      heading_path: piece.headingPath,
    };
    yield `${JSON.stringify(line)}\n`;
  }
}
