// Real: OpenSearch with its k-NN plugin; the SQL of this service on PostgreSQL in WebAssembly (PGlite). It is skipped where OpenSearch is not
// installed.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger, type Database } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { Client } from '@opensearch-project/opensearch';
import { randomUUID } from 'node:crypto';
import { OpenSearchConnection } from '../../opensearch/opensearch-connection.adapter.js';
import { describeVectors } from '../../test/contract/vectors.js';
import { openSearchMissing, startOpenSearch, type OpenSearchNodes } from '../../test/opensearch-nodes.js';
import { PgVectorHarness } from '../../test/pgvector-harness.js';
import { VectorCopyRequests } from '../copies/vector-copy-requests.service.js';
import { VectorCopyWorker } from '../copies/vector-copy.worker.js';
import { CopyLostError } from '../copies/vector-copies.port.js';
import { MemoryVectorIndex } from '../memory/memory-vector-index.adapter.js';
import { openVectorIndex } from '../open-vector-index.adapter.js';
import { VectorFeed } from '../vector-feed.store.js';
import type { VectorIndex, VectorSet } from '../vector-index.port.js';
import { OpenSearchVectorIndex } from './opensearch-vector-index.adapter.js';
import { documentsOf as documentsOfFiles } from './vector-index-definition.domain.js';
import { OpenSearchVectorIndexes } from './opensearch-vector-indexes.adapter.js';

const missing = await openSearchMissing();
const POLL_MS = 60_000;
const unit = (place: number, dimensions = 8) => Array.from({ length: dimensions }, (_, at) => (at === place ? 1 : 0));

(missing === null ? describe : describe.skip)(`vectors in OpenSearch${missing ? ` (${missing})` : ''}`, () => {
  let nodes: OpenSearchNodes;
  let client: Client;
  let kiln: PgVectorHarness;
  let connection: OpenSearchConnection;
  let index: OpenSearchVectorIndex;
  const noMemory: VectorIndex = {
    search: () => Promise.reject(new Error('the copy must answer')),
    close: () => Promise.resolve(),
  };
  beforeAll(async () => {
    nodes = await startOpenSearch();
    client = new Client({ node: nodes.urls[0] ?? '' });
    kiln = await PgVectorHarness.start();
    connection = await OpenSearchConnection.open({ urls: nodes.urls });
    index = open(noMemory);
  });
  afterAll(async () => {
    await index.close();
    await connection.close();
    await client.close();
    await kiln.stop();
    await nodes.stop();
  });

  const indexesOf = (prefix: string, database: Pick<Database, 'transaction'> = kiln.database) =>
    new OpenSearchVectorIndexes({
      connection,
      database,
      prefix,
      shards: 2,
      replicas: 0,
      refresh: true,
    });
  function open(meanwhile: VectorIndex, prefix = 'test-vectors-'): OpenSearchVectorIndex {
    const { database, logger } = kiln;
    const feed = new VectorFeed(database);
    const options = { database, feed, indexes: indexesOf(prefix), meanwhile, logger };
    return new OpenSearchVectorIndex({ ...options, exactMax: 500 });
  }
  /** Of a tenant, after a file with these vectors was written. */
  async function setOf(tenantId: string, written?: number[][]): Promise<VectorSet> {
    if (written) await kiln.write(tenantId, written);
    const [set] = await kiln.searchBy(index).setsOf(tenantId);
    if (!set) throw new Error('the tenant has no vectors');
    return set;
  }
  const found = async (tenantId: string, query = unit(0)) =>
    (await kiln.nearest(index, tenantId, query)).hits.map((hit) => [hit.fileId, hit.index, hit.fence]);
  const documentsOf = async (tenantId: string) => {
    const query = { term: { tenant: tenantId } };
    return (await client.count({ index: 'test-vectors-8', body: { query } })).body.count;
  };
  const expireLease = (tenantId: string) =>
    kiln.pglite.query(
      `update opensearch_vector_copies set lease_expires_at = now() - interval '1 s' where tenant_id = $1`,
      [tenantId],
    );

  it('are used where OpenSearch is configured for them', async () => {
    const { database, logger } = kiln;
    const openSearch = indexesOf('unused-');
    const opened = await openVectorIndex({
      database,
      feed: new VectorFeed(database),
      bytesMax: 1_000,
      openSearch,
      logger,
    });
    expect(opened).toBeInstanceOf(OpenSearchVectorIndex);
    await opened.close();
  });

  describe('as every index', () => {
    describeVectors(() => ({
      kiln,
      index,
      update: async (tenantId) => {
        expect(await index.writer.update(await setOf(tenantId))).toBe('current');
      },
    }));
  });

  it('keep no chunk of a former version', async () => {
    const tenantId = randomUUID();
    const fileId = await kiln.write(tenantId, [unit(0), unit(1), unit(2)]);
    await kiln.write(tenantId, [unit(1)]);
    await index.writer.update(await setOf(tenantId));
    expect(await documentsOf(tenantId)).toBe(4);
    await kiln.write(tenantId, [unit(0)], { fence: 2, fileId });
    await index.writer.update(await setOf(tenantId));
    expect(await documentsOf(tenantId)).toBe(2);
    await kiln.write(tenantId, [], { fence: 3, fileId });
    await index.writer.update(await setOf(tenantId));
    expect(await documentsOf(tenantId)).toBe(1);
  });

  it('that the copy lacks are found by a scan of the changes', async () => {
    const tenantId = randomUUID();
    const replaced = await kiln.write(tenantId, [unit(0)]);
    const removed = await kiln.write(tenantId, [unit(0)]);
    await index.writer.update(await setOf(tenantId));
    // Another process has the lease, and does nothing.
    await expireLease(tenantId);
    const writer = randomUUID();
    expect(await index.copies.claim(await setOf(tenantId), writer)).not.toBeNull();
    const added = await kiln.write(tenantId, [unit(0)]);
    await kiln.write(tenantId, [unit(1)], { fileId: replaced, fence: 2 });
    await kiln.write(tenantId, [], { fileId: removed, fence: 2 });
    expect(await found(tenantId)).toStrictEqual([
      [added, 0, 1],
      [replaced, 0, 2],
    ]);
    await index.copies.release(await setOf(tenantId), writer);
  });

  it('of tenants that never had a copy are copied by the safety poll', async () => {
    const tenantId = randomUUID();
    await kiln.write(tenantId, [unit(0)]);
    const requests = new VectorCopyRequests();
    const quiet = createLogger({ service: 'search', role: 'all', level: 'fatal' });
    const setsOf = (id: string) => kiln.searchBy(index).setsOf(id);
    let now = 0;
    const worker = new VectorCopyWorker(index, requests, setsOf, quiet, () => now);
    while (await worker.round());
    const set = await setOf(tenantId);
    expect(await index.copies.find(set)).toMatchObject({ generation: set.generation });
    now += POLL_MS;
    while (await worker.round());
    expect(worker.lag).toMatchObject({ copies: 0, changes: 0 });
    const [hit] = await found(tenantId);
    await kiln.write(tenantId, [], { fileId: String(hit?.[0]), fence: 2 });
    requests.request(tenantId);
    while (await worker.round());
    const { rows } = await kiln.pglite.query(`select 1 from opensearch_vector_copies where tenant_id = $1`, [tenantId]);
    expect(rows).toStrictEqual([]);
  });

  it('have one writer: what a former one sends late changes nothing', async () => {
    const tenantId = randomUUID();
    const fileId = await kiln.write(tenantId, [unit(0)]);
    const set = await setOf(tenantId);
    await index.writer.update(set);
    const [former, next] = [randomUUID(), randomUUID()];
    const copy = await index.copies.claim(set, former);
    if (!copy) throw new Error('the copy has a writer');
    const changes = await Array.fromAsync(new VectorFeed(kiln.database).changes(set, 0));
    expect(await index.copies.claim(set, next)).toBeNull();
    expect(await index.writer.update(set)).toBe('elsewhere');
    await expireLease(tenantId);
    await kiln.write(tenantId, [unit(1)], { fileId, fence: 2 });
    expect(await index.writer.update(await setOf(tenantId))).toBe('current');
    const [first] = changes;
    if (!first) throw new Error('the feed has no changes');
    await expect(index.copies.apply(set, copy, former, first)).rejects.toBeInstanceOf(CopyLostError);
    const documents = [...documentsOfFiles({ tenantId, number: copy.number }, first.files, 8)];
    expect(await indexesOf('test-vectors-').of(8).send(tenantId, documents)).toStrictEqual(['outdated']);
    expect(await found(tenantId, unit(1))).toStrictEqual([[fileId, 0, 2]]);
  });

  it('are all copied again when the records of their removals are gone', async () => {
    const tenantId = randomUUID();
    const removed = await kiln.write(tenantId, [unit(0)]);
    const kept = await kiln.write(tenantId, [unit(1)]);
    await index.writer.update(await setOf(tenantId));
    const former = await index.copies.find(await setOf(tenantId));
    await kiln.write(tenantId, [], { fileId: removed, fence: 2 });
    await kiln.pglite.query(`update vector_generations set forgotten_generation = generation where tenant_id = $1`, [
      tenantId,
    ]);
    await kiln.pglite.query(`delete from vector_files where tenant_id = $1 and vectors = 0`, [tenantId]);
    expect(await index.writer.update(await setOf(tenantId))).toBe('current');
    expect((await index.copies.find(await setOf(tenantId)))?.number).not.toBe(former?.number);
    expect(await found(tenantId)).toStrictEqual([[kept, 0, 1]]);
    await eventually(async () => {
      await client.indices.refresh({ index: 'test-vectors-8' });
      return (await documentsOf(tenantId)) === 1;
    });
  });

  it('are found in memory when the index was lost, and copied again', async () => {
    const tenantId = randomUUID();
    const fileId = await kiln.write(tenantId, [unit(0)]);
    const { database, logger } = kiln;
    const memory = new MemoryVectorIndex({ feed: new VectorFeed(database), bytesMax: 10_000_000, logger });
    const other = open(memory, 'lost-');
    await other.writer.update(await setOf(tenantId));
    expect(memory.bytes).toBe(0);
    await client.indices.delete({ index: 'lost-8-1' });
    expect((await kiln.nearest(other, tenantId, unit(0))).hits).toMatchObject([{ fileId }]);
    expect(memory.bytes).toBeGreaterThan(0);
    expect(await other.copies.find(await setOf(tenantId))).toBeNull();
    expect(await other.writer.update(await setOf(tenantId))).toBe('current');
    expect((await client.count({ index: 'lost-8' })).body.count).toBe(1);
    await other.close();
  });

  it('have no copy in an index that was created for a lost one, also when its creation is not recorded', async () => {
    const tenantId = randomUUID();
    const { database } = kiln;
    const other = open(noMemory, 'cut-');
    const set = await setOf(tenantId, [unit(0)]);
    await other.writer.update(set);
    await client.indices.delete({ index: 'cut-8-1' });
    const isCreated = async () => (await client.indices.existsAlias({ name: 'cut-8' })).body;
    const cut: Pick<Database, 'transaction'> = {
      transaction: (work) =>
        database.transaction(async (transaction) => {
          const result = await work(transaction);
          if (await isCreated()) throw new Error('the process ends');
          return result;
        }),
    };
    await expect(indexesOf('cut-', cut).of(8).ensureCreated()).rejects.toThrow('the process ends');
    expect([await isCreated(), await other.copies.find(set)]).toStrictEqual([true, null]);
    await other.close();
  });

  it('of a file that is removed after its first copy broke off are removed from OpenSearch', async () => {
    const tenantId = randomUUID();
    const removed = await kiln.write(tenantId, [unit(0)]);
    const set = await setOf(tenantId, [unit(1)]);
    const copy = await index.copies.claim(set, randomUUID());
    if (!copy) throw new Error('the copy has a writer');
    for await (const { files } of new VectorFeed(kiln.database).changes(set, 0))
      for (const document of documentsOfFiles({ tenantId, number: copy.number }, files, 8))
        await indexesOf('test-vectors-').of(8).send(tenantId, [document], false);
    expect(await documentsOf(tenantId)).toBe(2);
    await expireLease(tenantId);
    await kiln.write(tenantId, [], { fileId: removed, fence: 2 });
    expect(await index.writer.update(await setOf(tenantId))).toBe('current');
    await eventually(async () => {
      await client.indices.refresh({ index: 'test-vectors-8' });
      expect(await documentsOf(tenantId)).toBe(1);
    });
  });

  it('fail with UNAVAILABLE while OpenSearch does not answer, and work afterwards', async () => {
    const tenantId = randomUUID();
    const fileId = await kiln.write(tenantId, [unit(0)]);
    await index.writer.update(await setOf(tenantId));
    await nodes.closeNode(0);
    await expect(found(tenantId)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    // Changes wait in PostgreSQL.
    const added = await kiln.write(tenantId, [unit(1)]);
    expect(await index.writer.update(await setOf(tenantId))).toBe('failed');
    await nodes.openNode(0);
    await eventually(async () => (await index.writer.update(await setOf(tenantId))) === 'current');
    await eventually(async () => (await found(tenantId).catch(() => [])).length === 2);
    expect(await found(tenantId, unit(1))).toStrictEqual([
      [added, 0, 1],
      [fileId, 0, 1],
    ]);
  });
});
