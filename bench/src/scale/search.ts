// Fills the schema of the search service with small tenants. Each has one file of a few words. The service indexes the file of one tenant. The others get copies.
import { entities } from '@kiln/search/entities';
import { PostingsMemory } from '@kiln/search/text-index/postings-memory.domain';
import { RankStore } from '@kiln/search/text-index/rank.store';
import type { Client } from 'pg';
import { addFileRows, BlockLoader } from '../search/block-index.js';
import { CHUNKS_PER_FILE } from '../search/generated-files.js';
import { randomOf, type System } from './compare.js';
import { copyTenant, fileId, smallTenant, type Size } from './generated-rows.js';
import { openSchema } from './open-schema.js';

const WORDS = ['rain', 'river', 'bridge', 'harbour', 'tide'];
const TABLES = ['tenant_languages', 'tenant_indexes', 'files', 'chunks', 'posting_blocks'];
const MEMORY_BYTES = 100_663_296;

async function fill(client: Client, { smallTenants }: Size): Promise<void> {
  const model = smallTenant(1);
  const passage = { repeats: new Map(WORDS.map((word) => [word, 1])), length: WORDS.length };
  const loader = new BlockLoader(client, model);
  await loader.add({ title: passage, chunks: Array.from({ length: CHUNKS_PER_FILE }, () => passage), space: 'main' });
  await loader.finish();
  await addFileRows(client, model, [fileId(1)], true);
  await copyTenant(client, TABLES, model, smallTenants);
  await client.query('vacuum analyze');
}

export async function openSearch(size: Size): Promise<System> {
  const { client, database, close } = await openSchema('search', { lookUps: true, entities });
  await fill(client, size);
  const store = new RankStore(database, new PostingsMemory(MEMORY_BYTES));
  const search = async () => {
    const { files } = await store.rank(smallTenant(1 + randomOf(size.smallTenants)), 'river bridge', [], { limit: 20 });
    if (files.length !== 1) throw new Error(`${files.length} files were found`);
  };
  return { database, operations: { 'search, of a small tenant': search }, close };
}
