// Bulk-loads the search service's tables with the contents of a tenant's files: a text of five words each, as merged.
import { chunkPassage } from '@kiln/search/analysis/domain/passage';
import { facetsOf } from '@kiln/search/postings/domain/facet';
import type { Client } from 'pg';
import { BlockWriter } from '../search/block-writer.js';

const FILES_PER_READ = 20_000;
/** The title and one chunk. */
const PASSAGES_PER_FILE = 2;

interface Row {
  id: string;
  created_at: Date;
  size: number;
  space: string;
  metadata: Record<string, string>;
}

/** A word that one in `share` files has. Digits as letters: a word of both would also be found by its parts. */
export const wordOf = (share: number, size: number) =>
  `${share}of${size % share}`.replaceAll(/\d/g, (digit) => 'bcdfghjklm'.charAt(Number(digit)));

const SHARES = [1, 10, 100, 1_000, 49_999];
const contentOf = ({ size }: Row) => SHARES.map((share) => wordOf(share, size)).join(' ');

class WordLoader {
  private readonly blocks: BlockWriter;
  private files = 0;

  constructor(
    private readonly client: Client,
    private readonly tenantId: string,
  ) {
    this.blocks = new BlockWriter(client, tenantId);
  }

  async add(rows: readonly Row[]): Promise<void> {
    const numbers = rows.map((_, at) => (this.files + at) * PASSAGES_PER_FILE);
    this.files += rows.length;
    for (const [at, row] of rows.entries()) {
      const first = numbers[at] ?? 0;
      for (const facet of facetsOf({ ...row, contentType: null }))
        this.blocks.add(facet, { number: first, place: 0, repeats: 1, length: PASSAGES_PER_FILE });
      const { repeats, length } = chunkPassage(contentOf(row), 'english');
      for (const term of repeats.keys()) this.blocks.add(term, { number: first + 1, place: 1, repeats: 1, length });
    }
    await this.client.query(
      `insert into search.files (tenant_id, file_id, job_number, fence, chunks, first_number, language)
       select $1, id, 1, 1, 1, number, 'english' from unnest($2::uuid[], $3::int8[]) as f(id, number)`,
      [this.tenantId, rows.map(({ id }) => id), numbers],
    );
    await this.blocks.insertMany();
  }

  async finish(): Promise<void> {
    await this.blocks.finish();
    await this.client.query(`insert into search.tenant_languages (tenant_id, language) values ($1, 'english')`, [
      this.tenantId,
    ]);
    await this.client.query(
      `insert into search.tenant_indexes (tenant_id, next_number, chunks, chunk_length) values ($1, $2, $3, $4)`,
      [this.tenantId, this.files * PASSAGES_PER_FILE, this.files, this.files * SHARES.length],
    );
    for (const table of ['files', 'posting_blocks']) await this.client.query(`vacuum analyze search.${table}`);
  }
}

/** In the order in which the files were created, as merges nearly do. */
export async function indexFiles(client: Client, tenantId: string): Promise<void> {
  const loader = new WordLoader(client, tenantId);
  for (let after = new Date(0); ;) {
    const { rows } = await client.query<Row>(
      `select f.id, f.created_at, f.size_bytes::int as size, f.metadata, s.name as space
       from files f join spaces s on s.tenant_id = f.tenant_id and s.id = f.space_id
       where f.tenant_id = $1 and f.created_at > $2 order by f.created_at limit $3`,
      [tenantId, after, FILES_PER_READ],
    );
    await loader.add(rows);
    const last = rows.at(-1);
    if (!last) break;
    after = last.created_at;
  }
  await loader.finish();
}
