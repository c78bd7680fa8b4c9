// Real: Postgres, the engine of syncs, the S3 SDK. Faked: the store.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { connectionTo, s3Shape, startScriptedStore, type ScriptedStore } from '../test/scripted-store.js';
import { sortedStore, type SortedStore } from '../test/sorted-store.js';
import { newLimits, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

/** Eight folders of ten files. */
const KEYS = Array.from({ length: 80 }, (_, at) => `f${Math.floor(at / 10)}/${at % 10}.txt`);

const ALL = () => true;
const NONE = () => false;

describe('a listing that is split into ranges', () => {
  let kiln: SyncsHarness;
  let server: ScriptedStore;
  let store: SortedStore;
  let tenantId: string;
  let connectionId: string;
  beforeAll(async () => {
    server = await startScriptedStore();
    kiln = await startSyncs();
  });
  beforeEach(async () => {
    tenantId = uuidv7();
    connectionId = await kiln.connect(tenantId, connectionTo(s3Shape, server.url));
    kiln.limits.requests = 4;
    serve(sortedStore(KEYS));
  });
  afterEach(async () => {
    store.holds = NONE;
    store.release();
    Object.assign(kiln.limits, newLimits());
    await kiln.sql(`update syncs set status = 'cancelled' where status in ('pending', 'syncing')`);
  });
  afterAll(async () => {
    await kiln.close();
    await server.close();
  });

  const serve = (served: SortedStore) => {
    store = served;
    server.answer = served.answer;
  };
  const claim = async (signal = new AbortController().signal) => kiln.runSync.execute(await kiln.claimOne(), signal);
  /** Begins a sync, whose first claim lists one page. */
  const begin = async (of = { tenantId, connectionId }) => {
    const { id } = await kiln.begin(of.tenantId, of.connectionId);
    expect(await claim()).toBe('yielded');
    return id;
  };
  const complete = async () => {
    for (;;) {
      await kiln.leasesEnd();
      const outcome = await claim();
      if (outcome !== 'yielded') return outcome;
    }
  };
  const completed = async (claimed: Promise<string>) => {
    const outcome = await claimed;
    return outcome === 'yielded' ? complete() : outcome;
  };
  const sync = async () => {
    await begin();
    return complete();
  };
  const paths = () => kiln.paths(connectionId);
  const isListed = (keys: readonly string[]) => [...keys, ...new Set(keys.map((key) => key.slice(0, 3)))].toSorted();

  it('has as many requests at a time as a sync may have, and waits for the store less often than for its pages', async () => {
    await begin();
    store.holds = ALL;
    const ended = claim();
    const waits: number[] = [];
    for (let listed = 5; listed < KEYS.length; listed += 5 * (waits.at(-1) ?? 0)) {
      const left = (KEYS.length - listed) / 5;
      await eventually(() => store.waiting >= Math.min(4, left));
      waits.push(store.waiting);
      store.release();
    }
    store.holds = NONE;
    expect(await completed(ended)).toBe('completed');
    expect([Math.max(...waits), waits.length]).toStrictEqual([4, 4]);
    expect(await paths()).toStrictEqual(isListed(KEYS));
  });

  it('has several requests at a time in a bucket without folders', async () => {
    const keys = '0123456789abcdef'.split('').flatMap((digit) => [0, 1, 2, 3, 4].map((at) => `part-${digit}${at}.txt`));
    serve(sortedStore(keys));
    await begin();
    store.holds = ALL;
    const ended = claim();
    await eventually(() => store.waiting === 4);
    expect(store.listed.slice(-4).toSorted()).toStrictEqual(['part-04.txt', 'part-1', 'part-2', 'part-3']);
    store.holds = NONE;
    store.release();
    expect(await completed(ended)).toBe('completed');
    expect(await paths()).toStrictEqual(keys);
  });

  it('is split again when one range is left and has more than a few pages', async () => {
    const folder = Array.from({ length: 80 }, (_, at) => `z/${String(at).padStart(2, '0')}.txt`);
    serve(sortedStore([...KEYS.slice(0, 20), ...folder]));
    const id = await begin();
    store.holds = (key) => key.startsWith('z/');
    const alone = claim();
    // The range before waits too: its end is known by the first key after it.
    await eventually(async () => store.waiting === 2 && (await kiln.syncs.find(tenantId, id))?.synced_count === 20);
    store.holds = NONE;
    store.release();
    expect(await alone).toBe('yielded');
    expect((await kiln.syncs.find(tenantId, id))?.synced_count).toBeLessThan(100);
    store.holds = ALL;
    await kiln.leasesEnd();
    const ended = claim();
    await eventually(() => store.waiting === 4);
    store.holds = NONE;
    store.release();
    expect(await completed(ended)).toBe('completed');
    expect(await paths()).toStrictEqual([...isListed(KEYS.slice(0, 20)), ...folder, 'z/'].toSorted());
  });

  it('leaves requests to other syncs and tenants', async () => {
    kiln.limits.requests = 8;
    const other = { tenantId: uuidv7(), connectionId: '' };
    other.connectionId = await kiln.connect(other.tenantId, connectionTo(s3Shape, server.url));
    await begin();
    store.holds = ALL;
    const first = claim();
    await eventually(() => store.waiting === 5);
    store.holds = NONE;
    await begin(other);
    store.holds = ALL;
    const second = claim();
    await eventually(() => store.waiting === 8);
    store.holds = NONE;
    store.release();
    // A range that is left alone is split by the next claim.
    for (const outcome of await Promise.all([first, second]))
      expect(outcome === 'yielded' ? await complete() : outcome).toBe('completed');
  });

  it('resumes each range after its last committed page when its worker dies', async () => {
    await begin();
    store.holds = ALL;
    const dying = new AbortController();
    const dead = claim(dying.signal);
    await eventually(() => store.waiting === 4);
    store.release();
    // Each range has a committed page, and waits for the next.
    await eventually(
      async () => store.waiting === 4 && (await paths()).filter((path) => path.endsWith('.txt')).length === 25,
    );
    dying.abort();
    expect(await dead).toBe('released');
    const before = (await paths()).filter((path) => path.endsWith('.txt'));
    expect(before.length).toBe(5 + 4 * 5);
    store.holds = NONE;
    const [first, ...committed] = store.listed.splice(0).slice(0, 5);
    expect([first, committed.toSorted()]).toStrictEqual(['', ['f0/4.txt', 'f1/', 'f2/', 'f3/']]);
    expect(await complete()).toBe('completed');
    expect(store.listed.filter((start) => committed.includes(start))).toStrictEqual([]);
    expect(await paths()).toStrictEqual(isListed(KEYS));
  });

  it('lists one range at a time after a failure of the store, removes nothing before all are listed, and is continued by the next sync', async () => {
    await sync();
    store.keys = KEYS.filter((key) => !/^f[27]/.test(key) || key.endsWith('9.txt'));
    const id = await begin();
    server.answer = (response, request) => {
      if (request.url?.includes('start-after=f5')) response.writeHead(503).end();
      else store.answer(response, request);
    };
    await kiln.sql('update syncs set bucket_failures = 1 where id = $1', [id]);
    store.holds = ALL;
    let outcome: string | undefined;
    const failing = claim().then((ended) => (outcome = ended));
    const waits: number[] = [];
    await eventually(() => {
      waits.push(store.waiting);
      store.release();
      return outcome !== undefined;
    });
    expect([await failing, Math.max(...waits)]).toStrictEqual(['postponed', 1]);
    await kiln.leasesEnd();
    await kiln.sql('update syncs set bucket_failures = 19 where id = $1', [id]);
    expect(await claim()).toBe('failed');
    expect(await paths()).toStrictEqual(isListed(KEYS));
    server.answer = store.answer;
    store.holds = NONE;
    store.listed.length = 0;
    await kiln.begin(tenantId, connectionId);
    expect(await complete()).toBe('completed');
    expect(store.listed.filter((start) => start < 'f5/')).toStrictEqual([]);
    expect(await paths()).toStrictEqual(isListed(store.keys));
  });

  it('keeps a folder that one range marks because its objects are in another', async () => {
    await sync();
    const before = await kiln.sql('select id from nodes where connection_id = $1 and not is_file order by path', [
      connectionId,
    ]);
    const id = await begin();
    // The range up to `f1/` waits until the others are listed.
    store.holds = (key) => key === 'f0/5.txt';
    const ended = claim();
    await eventually(async () => (await kiln.syncs.find(tenantId, id))?.synced_count === 75);
    store.release();
    expect(await completed(ended)).toBe('completed');
    expect(
      await kiln.sql('select id from nodes where connection_id = $1 and not is_file order by path', [connectionId]),
    ).toStrictEqual(before);
    expect(await paths()).toStrictEqual(isListed(KEYS));
  });

  it('is split at the paths of the nodes, if there are many', async () => {
    const keys = Array.from({ length: 40_000 }, (_, at) => `${String(at).padStart(5, '0')}.txt`);
    await kiln.sql(
      `insert into nodes (tenant_id, connection_id, id, parent_id, is_file, name, path, size_bytes, etag, last_modified, seen_at)
       select $1, $2, gen_random_uuid(), $2, true, key, key, 1, 'e', '2026-01-01', now() - interval '1 day' from unnest($3::text[]) key`,
      [tenantId, connectionId, keys],
    );
    serve(Object.assign(sortedStore(keys.slice(0, -1)), { pageSize: 1_000, holds: ALL }));
    const { id } = await kiln.begin(tenantId, connectionId);
    const ended = claim();
    await eventually(() => store.waiting === 4);
    store.holds = NONE;
    store.release();
    expect(await completed(ended)).toBe('completed');
    const row = await kiln.syncs.find(tenantId, id);
    expect([row?.synced_count, row?.files_added, row?.files_updated, row?.files_deleted]).toStrictEqual([
      39_999, 0, 0, 1,
    ]);
    expect(await paths()).toStrictEqual(keys.slice(0, -1));
  });

  it('is not split at a store that ignores where a listing shall begin', async () => {
    serve(sortedStore(KEYS, { ignoresStartAfter: true }));
    expect(await sync()).toBe('completed');
    expect([store.listed.length, await paths()]).toStrictEqual([16, isListed(KEYS)]);
  });

  it('is begun again as one by a worker of release 0.2.0', async () => {
    await sync();
    kiln.limits.pagesPerClaim = 1;
    const id = await begin();
    expect(await claim()).toBe('yielded');
    await kiln.sql(
      `update syncs s set connection_version = c.version, position = null, next_cursor = null, listed = false, started_at = now(), nodes_before = 7
       from connections c where s.id = $1 and c.id = s.connection_id`,
      [id],
    );
    store.keys = KEYS.slice(5);
    store.listed.length = 0;
    expect(await complete()).toBe('completed');
    expect([store.listed.length, await paths()]).toStrictEqual([15, isListed(KEYS.slice(5))]);
  });
});
