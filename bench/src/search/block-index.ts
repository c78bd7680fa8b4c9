// Bulk-loads the search service's tables with the result of indexing and merging.
import { facetsOf } from '@kiln/search/postings/domain/facet';
import { encodeTail } from '@kiln/search/postings/domain/tail-data';
import type { Client } from 'pg';
import { BlockWriter } from './block-writer.js';
import { CHUNKS_PER_FILE, PASSAGES_PER_FILE, type GeneratedFile, type GeneratedPassage } from './generated-files.js';

const FILES_PER_INSERT = 2_000;
const CHUNKS = Array.from({ length: CHUNKS_PER_FILE }, (_, chunk) => chunk);

const facetsOfFile = (space: string) => facetsOf({ space, contentType: null, metadata: {} });

/** Writes a tenant's files as merged. */
export class BlockLoader {
  private readonly blocks: BlockWriter;
  private files = 0;
  private totals = { chunkLength: 0, titleLength: 0 };

  constructor(
    private readonly client: Client,
    private readonly tenantId: string,
  ) {
    this.blocks = new BlockWriter(client, tenantId);
  }

  async add(file: GeneratedFile): Promise<void> {
    const first = this.files++ * PASSAGES_PER_FILE;
    for (const facet of facetsOfFile(file.space))
      this.blocks.add(facet, { number: first, place: 0, repeats: 1, length: PASSAGES_PER_FILE });
    for (const [place, passage] of [file.title, ...file.chunks].entries()) {
      this.totals[place === 0 ? 'titleLength' : 'chunkLength'] += passage.length;
      const { repeats: terms, length } = passage;
      for (const [term, repeats] of terms) this.blocks.add(term, { number: first + place, place, repeats, length });
    }
    await this.blocks.insertMany();
  }

  async finish(): Promise<void> {
    await this.blocks.finish();
    const numbers = this.files * PASSAGES_PER_FILE;
    const { chunkLength, titleLength } = this.totals;
    await this.client.query(
      `insert into search.tenant_indexes (tenant_id, next_number, chunks, chunk_length, titles, title_length)
       values ($1, $2, $3, $4, $5, $6)`,
      [this.tenantId, numbers, this.files * CHUNKS_PER_FILE, chunkLength, this.files, titleLength],
    );
  }
}

const FILLER = 'some words of this chunk '.repeat(15);

/** The rows of files and chunks, which a search reads for its results. `bodies`: the texts of each file's chunks. */
export async function addFileRows(
  client: Client,
  tenantId: string,
  ids: readonly string[],
  merged: boolean,
  bodies?: readonly (readonly string[])[],
): Promise<void> {
  await client.query(
    `insert into search.tenant_languages (tenant_id, language) values ($1, 'english') on conflict do nothing`,
    [tenantId],
  );
  for (let from = 0; from < ids.length; from += FILES_PER_INSERT) {
    const some = ids.slice(from, from + FILES_PER_INSERT);
    const numbers = some.map((_, at) => (merged ? (from + at) * PASSAGES_PER_FILE : null));
    await client.query(
      `insert into search.files (tenant_id, file_id, job_number, fence, chunks, first_number, language)
       select $1, id, 1, 1, $4, number, 'english' from unnest($2::uuid[], $3::int8[]) as f(id, number)`,
      [tenantId, some, numbers, CHUNKS_PER_FILE],
    );
    await client.query(
      `insert into search.chunks (tenant_id, file_id, index, body, start_offset, end_offset, page, heading_path)
       select $1, id, index, body, 0, 400, null, '{}' from unnest($2::uuid[], $3::int4[], $4::text[]) as c(id, index, body)`,
      [
        tenantId,
        some.flatMap((id) => CHUNKS.map(() => id)),
        some.flatMap(() => CHUNKS),
        some.flatMap((_, at) => CHUNKS.map((chunk) => bodies?.[from + at]?.[chunk] ?? FILLER)),
      ],
    );
  }
}

/** Writes a tenant's files to the tail. */
export async function addTail(
  client: Client,
  tenantId: string,
  ids: readonly string[],
  files: readonly GeneratedFile[],
): Promise<void> {
  const sum = (passages: readonly GeneratedPassage[]) => passages.reduce((total, { length }) => total + length, 0);
  await client.query(
    `insert into search.tail_parts (tenant_id, file_id, part, last_place, chunks, chunk_length, titles, title_length, data, job_number, fence)
     select $1, id, 0, $3::int4, $3::int4, chunk_length, 1, title_length, data, 1, 1
       from unnest($2::uuid[], $4::int8[], $5::int8[], $6::text[]) as t(id, chunk_length, title_length, data)`,
    [
      tenantId,
      ids,
      CHUNKS_PER_FILE,
      files.map(({ chunks }) => sum(chunks)),
      files.map(({ title }) => title.length),
      files.map(({ title, chunks, space }) => {
        const passages = [title, ...chunks].map((passage, place) => ({ place, passage }));
        return encodeTail(passages, facetsOfFile(space));
      }),
    ],
  );
}
