// Real: OpenSearch, Postgres, the object store. Faked: the files service. It is skipped where OpenSearch is not installed.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidOf } from '@kiln/contracts';
import { createLogger, statement } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { Client } from '@opensearch-project/opensearch';
import { randomUUID } from 'node:crypto';
import { openSearchMissing, startOpenSearch, type OpenSearchNodes } from '../test/opensearch-nodes.js';
import { startSearch, type SearchHarness } from '../test/search-harness.js';
import { chooseStore } from './move-tail.statements.js';
import { MoveTailStore } from './move-tail.store.js';
import { TailMerges } from './tail-merges.service.js';

const missing = await openSearchMissing();
const generation = statement('test.generation', 'select generation from opensearch_generations');
const places = statement(
  'test.places',
  `select (select count(distinct file_id)::int from tail_parts where tenant_id = $1) as tail,
          (select count(*)::int from files where tenant_id = $1 and first_number is not null) as blocks,
          (select count(*)::int from opensearch_files where tenant_id = $1 and served) as served,
          (select count(*)::int from opensearch_files where tenant_id = $1 and not served) as withheld`,
);

(missing === null ? describe : describe.skip)(`moving files to OpenSearch${missing ? ` (${missing})` : ''}`, () => {
  let nodes: OpenSearchNodes;
  let kiln: SearchHarness;
  let client: Client;
  let moves: MoveTailStore;
  let index: string;
  beforeAll(async () => {
    nodes = await startOpenSearch();
    kiln = await startSearch({ openSearch: nodes.urls });
    moves = kiln.moves as MoveTailStore;
    client = new Client({ nodes: nodes.urls });
    const tenantId = randomUUID();
    await kiln.index({ tenantId, chunks: ['first'] });
    await kiln.merge(tenantId);
    const [row] = await kiln.database.query<{ generation: string }>(generation, []);
    index = `test-${row?.generation}-1`;
  });
  afterAll(async () => {
    await client.close();
    await kiln.close();
    await nodes.stop();
  });

  const placesOf = async (tenantId: string) => (await kiln.database.query(places, [tenantId]))[0];
  const found = async (tenantId: string, query: string, more = {}) => {
    const { results, total } = await kiln.search(tenantId, query, { limit: 50, ...more });
    expect(results).toHaveLength(total);
    return results.map(({ file_id: id }) => uuidOf('file', id)).toSorted();
  };
  const settings = (body: Record<string, unknown>) => client.indices.putSettings({ index, body: { index: body } });

  it('every search finds each file once, while files move to OpenSearch, are replaced, and move back', async () => {
    const tenantId = randomUUID();
    const ids = Array.from({ length: 30 }, () => randomUUID()).toSorted();
    let job = 0;
    const write = async () => {
      job++;
      for (const fileId of ids) await kiln.index({ tenantId, fileId, jobNumber: job, chunks: ['a narwhal', `${job}`] });
    };
    await write();
    await kiln.merge(tenantId);
    expect(await placesOf(tenantId)).toStrictEqual({ tail: 0, blocks: 0, served: 30, withheld: 0 });
    let searches = 0;
    const moved = new AbortController();
    const search = async () => {
      for (; !moved.signal.aborted; searches++) expect(await found(tenantId, 'narwhal')).toStrictEqual(ids);
    };
    const move = async () => {
      for (const store of ['postgres', 'opensearch', 'postgres'] as const) {
        await kiln.database.query(chooseStore, [tenantId, store]);
        const merging = kiln.merge(tenantId);
        await write();
        await merging;
        await kiln.merge(tenantId);
      }
    };
    await Promise.all([search(), move().finally(() => moved.abort())]);
    expect(searches).toBeGreaterThan(3);
    expect(await placesOf(tenantId)).toStrictEqual({ tail: 0, blocks: 30, served: 0, withheld: 0 });
  });

  it('deletes the documents of deleted files, and never shows them before', async () => {
    const tenantId = randomUUID();
    const [gone, kept] = [randomUUID(), randomUUID()];
    for (const fileId of [gone, kept]) await kiln.index({ tenantId, fileId, chunks: ['narwhal'] });
    await kiln.merge(tenantId);
    await kiln.remove(tenantId, gone);
    expect(await found(tenantId, 'narwhal')).toStrictEqual([kept]);
    expect(await placesOf(tenantId)).toMatchObject({ served: 1, withheld: 1 });
    expect(await moves.tenantsBehind()).toContain(tenantId);
    await kiln.merge(tenantId);
    expect(await placesOf(tenantId)).toMatchObject({ served: 1, withheld: 0 });
    const { body } = await client.count({ index, body: { query: { term: { tenant: tenantId } } } });
    expect(body.count).toBe(1);
  });

  it('a document that arrives late replaces no later version, and restores no deleted file', async () => {
    const tenantId = randomUUID();
    const fileId = randomUUID();
    const late: (() => Promise<unknown>)[] = [];
    const remote = kiln.remote;
    if (!remote) throw new Error('no OpenSearch');
    const dying = new MoveTailStore(kiln.database, {
      delete: (...deletion) => remote.delete(...deletion),
      send: async (tenant, documents) => {
        late.push(() => remote.send(tenant, documents));
        throw new Error('The process died.');
      },
    });
    const sendLate = async () => Promise.all(late.map((send) => send()));
    await kiln.index({ tenantId, fileId, chunks: ['obsolete narwhal'] });
    await expect(dying.move(tenantId, await moves.tailFiles(tenantId))).rejects.toThrow('died');
    await kiln.index({ tenantId, fileId, jobNumber: 2, chunks: ['recent narwhal'] });
    await sendLate();
    expect(await found(tenantId, 'obsolete')).toStrictEqual([]);
    await kiln.merge(tenantId);
    expect((await sendLate()).flat()).toStrictEqual(['outdated']);
    expect(await found(tenantId, 'recent')).toStrictEqual([fileId]);
    await kiln.remove(tenantId, fileId);
    await kiln.merge(tenantId);
    expect((await sendLate()).flat()).toStrictEqual(['outdated']);
    expect(await found(tenantId, 'narwhal')).toStrictEqual([]);
  });

  it('takes a file with 10,000 metadata keys, whose values filter, and adds no field for them', async () => {
    const tenantId = randomUUID();
    const metadata = Object.fromEntries(Array.from({ length: 10_000 }, (_, key) => [`key.${key}`, `value ${key}`]));
    const fileId = randomUUID();
    await kiln.index({ tenantId, fileId, metadata, chunks: ['narwhal'] });
    await kiln.index({ tenantId, chunks: ['narwhal'] });
    await kiln.merge(tenantId);
    expect(await placesOf(tenantId)).toMatchObject({ served: 2 });
    expect(await found(tenantId, 'narwhal', { metadata: { 'key.9999': 'value 9999' } })).toStrictEqual([fileId]);
    expect(await found(tenantId, 'narwhal', { metadata: { 'key.9999': 'value 1' } })).toStrictEqual([]);
    const { body } = await client.indices.getMapping({ index });
    expect(Object.keys(body[index]?.mappings.properties ?? {})).toHaveLength(8);
  });

  it('leaves a file that is too large for a document in PostgreSQL, where searches find it', async () => {
    const tenantId = randomUUID();
    const word = (n: number) => `word${n.toString(36)}${'x'.repeat(40)}`;
    const chunks = Array.from({ length: 100 }, (_, n) =>
      Array.from({ length: 1_000 }, (_word, at) => word(n * 1_000 + at)).join(' '),
    );
    const [large, small] = [randomUUID(), randomUUID()];
    await kiln.index({ tenantId, fileId: large, chunks: [...chunks, 'narwhal'] });
    await kiln.index({ tenantId, fileId: small, chunks: ['narwhal'] });
    await kiln.merge(tenantId);
    expect(await placesOf(tenantId)).toMatchObject({ tail: 0, blocks: 1, served: 1 });
    expect(await found(tenantId, 'narwhal')).toStrictEqual([large, small].toSorted());
  });

  it('leaves files in the tail while the disk of OpenSearch is full, and moves them afterwards', async () => {
    const tenantId = randomUUID();
    const fileId = randomUUID();
    // OpenSearch sets this block at the flood stage.
    await settings({ blocks: { read_only_allow_delete: true } });
    await kiln.index({ tenantId, fileId, chunks: ['narwhal'] });
    await kiln.merge(tenantId);
    expect(await placesOf(tenantId)).toMatchObject({ tail: 1, served: 0 });
    expect(await found(tenantId, 'narwhal')).toStrictEqual([fileId]);
    await settings({ blocks: { read_only_allow_delete: null } });
    await eventually(async () => {
      await kiln.merge(tenantId);
      return (await found(tenantId, 'narwhal')).length === 1 && (await moves.tailFiles(tenantId)).length === 0;
    });
    expect(await placesOf(tenantId)).toMatchObject({ tail: 0, served: 1 });
  });

  it('never answers from an empty index in place of one that was lost, until no file is in it', async () => {
    const lost = await startSearch({ openSearch: nodes.urls });
    try {
      const [lostTenant, other] = [randomUUID(), randomUUID()];
      const fileId = randomUUID();
      await lost.index({ tenantId: lostTenant, fileId, chunks: ['narwhal'] });
      await lost.merge(lostTenant);
      const [row] = await lost.database.query<{ generation: string }>(generation, []);
      await client.indices.delete({ index: `test-${row?.generation}-1` });
      await lost.index({ tenantId: other, chunks: ['narwhal'] });
      await lost.merge(other);
      await expect(lost.search(lostTenant, 'narwhal')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      expect((await lost.search(other, 'narwhal')).total).toBe(1);
      // As a rebuild does.
      await lost.index({ tenantId: lostTenant, fileId, jobNumber: 2, chunks: ['narwhal'] });
      expect((await lost.search(lostTenant, 'narwhal')).total).toBe(1);
      await lost.merge(lostTenant);
      expect(await lost.database.query(places, [lostTenant])).toMatchObject([{ tail: 0, served: 1 }]);
      expect((await lost.search(lostTenant, 'narwhal')).total).toBe(1);
    } finally {
      await lost.close();
    }
  });

  it('indexes files while OpenSearch is away, refuses searches with UNAVAILABLE and when to retry, and continues', async () => {
    const tenantId = randomUUID();
    const before = randomUUID();
    await kiln.index({ tenantId, fileId: before, chunks: ['narwhal'] });
    await kiln.merge(tenantId);
    await nodes.closeNode(0);
    const during = randomUUID();
    await kiln.index({ tenantId, fileId: during, chunks: ['narwhal'] });
    const unavailable = { code: 'UNAVAILABLE', retryAfterSeconds: 1 };
    await expect(kiln.search(tenantId, 'narwhal')).rejects.toMatchObject(unavailable);
    await expect(kiln.matches.match(tenantId, 'narwhal', [])).rejects.toMatchObject(unavailable);
    await kiln.merge(tenantId);
    expect(await placesOf(tenantId)).toMatchObject({ tail: 1, served: 1 });
    const other = randomUUID();
    await kiln.index({ tenantId: other, chunks: ['narwhal'] });
    expect(await found(other, 'narwhal')).toHaveLength(1);
    await nodes.openNode(0);
    await eventually(() => found(tenantId, 'narwhal').then(({ length }) => length === 2));
    await kiln.merge(tenantId);
    expect(await placesOf(tenantId)).toMatchObject({ tail: 0, served: 2 });
  });

  it('merges a long tail into PostgreSQL while OpenSearch does not answer, so that it stays short', async () => {
    const tenantId = randomUUID();
    const away = () => Promise.reject(new Error('away'));
    const metrics = { moved: () => undefined, failed: () => undefined };
    const logger = createLogger({ service: 'search', role: 'all', level: 'error' }, { write: () => {} });
    const store = new MoveTailStore(kiln.database, { send: away, delete: away });
    const merges = new TailMerges(kiln.merges, store, metrics, logger);
    const lines = Array.from({ length: 8_300 }, (_, chunk) => `narwhal ${chunk}`);
    await kiln.index({ tenantId, chunks: ['a narwhal alone'] });
    expect(await merges.mergeTail(tenantId, 1)).toBe(false);
    await kiln.index({ tenantId, chunks: lines });
    while (await merges.mergeTail(tenantId, 256));
    const { blocks } = (await placesOf(tenantId)) as { blocks: number };
    expect(blocks).toBeGreaterThan(0);
    expect(await found(tenantId, 'narwhal')).toHaveLength(2);
  });
});
