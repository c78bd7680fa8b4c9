// Lists the chunks of a file, in their order.
import {
  CHUNK_HEADINGS_MAX,
  decodeCursor,
  HEADING_CHARACTERS_MAX,
  notFound,
  pageOf,
  uuidOf,
  type CallContext,
  type SearchInput,
  type SearchOutput,
} from '@kiln/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ExistingFiles } from '../searching/existing-files.adapter.js';
import { regionsOfChunk } from '../text-index/regions.domain.js';
import type { Chunk } from '../text-index/indexed-text.domain.js';
import { ChunkStore } from '../text-index/chunk.store.js';

const keysetSchema = z.tuple([z.int32().min(0)]);

@Injectable()
export class ListChunks {
  constructor(
    private readonly texts: ChunkStore,
    @Inject(ExistingFiles) private readonly files: Pick<ExistingFiles, 'among'>,
  ) {}

  /** Throws NOT_FOUND when the file does not exist. */
  async execute(
    { file_id: id, cursor, limit }: SearchInput<'listChunks'>,
    context: CallContext,
  ): Promise<SearchOutput<'listChunks'>> {
    const fileId = uuidOf('file', id);
    const scope = `chunks:${context.tenantId}:${fileId}`;
    const [after] = cursor === undefined ? [-1] : decodeCursor(scope, cursor, keysetSchema);
    const existing = await this.files.among([fileId], context);
    if (!existing.has(fileId)) throw notFound('No file has this id.');
    const rows = await this.texts.readChunks(context.tenantId, fileId, { after, limit: limit + 1 });
    const { items, next_cursor } = pageOf(rows, { limit, scope, view: viewOf, keyset: ({ index }) => [index] });
    return { chunks: items, next_cursor };
  }
}

const viewOf = ({ headings, lines, ...chunk }: Chunk) => ({
  ...chunk,
  regions: regionsOfChunk({ ...chunk, lines }),
  headings: headings.slice(0, CHUNK_HEADINGS_MAX).map((heading) => heading.slice(0, HEADING_CHARACTERS_MAX)),
});
