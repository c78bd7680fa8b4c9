// Bulk-loads the blocks of a tenant's terms, as merging would write them.
import { BlockSplitter, type Block } from '@kiln/search/merging/append-postings.domain';
import type { Client } from 'pg';

const BLOCKS_PER_INSERT = 4_000;

export class BlockWriter {
  private readonly splitters = new Map<string, BlockSplitter>();
  private blocks: Block[] = [];

  constructor(
    private readonly client: Client,
    private readonly tenantId: string,
  ) {}

  /** The postings of a term come in the order of their numbers. */
  add(term: string, posting: Parameters<BlockSplitter['add']>[0]): void {
    let splitter = this.splitters.get(term);
    if (!splitter) this.splitters.set(term, (splitter = new BlockSplitter(term)));
    splitter.add(posting);
    if (splitter.blocks.length > 0) this.blocks.push(...splitter.blocks.splice(0));
  }

  /** Inserts the complete blocks if there are many. */
  async insertMany(): Promise<void> {
    while (this.blocks.length >= BLOCKS_PER_INSERT) await this.insert();
  }

  async finish(): Promise<void> {
    for (const splitter of this.splitters.values()) {
      splitter.flush();
      this.blocks.push(...splitter.blocks.splice(0));
    }
    while (this.blocks.length > 0) await this.insert();
  }

  private async insert(): Promise<void> {
    const blocks = this.blocks.splice(0, BLOCKS_PER_INSERT);
    await this.client.query(
      `insert into search.posting_blocks (tenant_id, term, first, last, count, data)
       select $1, * from unnest($2::text[], $3::int8[], $4::int8[], $5::int4[], $6::text[])`,
      [
        this.tenantId,
        blocks.map(({ term }) => term),
        blocks.map(({ first }) => first),
        blocks.map(({ last }) => last),
        blocks.map(({ count }) => count),
        blocks.map(({ data }) => data),
      ],
    );
  }
}
