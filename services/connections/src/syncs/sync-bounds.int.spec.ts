// Real: Postgres, the engine of syncs, Google's JSON API as the SDK speaks it. Faked: the store.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import {
  connectionTo,
  googleShape as google,
  pagesInOrder,
  startScriptedStore,
  type ScriptedStore,
} from '../test/scripted-store.js';
import { newLimits, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const ATTEMPTS_MAX = 8;

describe('the limits of a sync:', () => {
  let store: ScriptedStore;
  let kiln: SyncsHarness;
  let tenantId: string;
  let connectionId: string;
  beforeAll(async () => {
    store = await startScriptedStore();
    kiln = await startSyncs({ gcsEndpoint: store.url });
  });
  afterEach(async () => {
    Object.assign(kiln.limits, newLimits());
    await kiln.sql(`update syncs set status = 'cancelled' where status in ('pending', 'syncing')`);
  });
  afterAll(async () => {
    await kiln.close();
    await store.close();
  });

  async function connected(): Promise<void> {
    tenantId = uuidv7();
    connectionId = await kiln.connect(tenantId, connectionTo(google, store.url));
  }
  const claim = async () => kiln.runSync.execute(await kiln.claimOne(), new AbortController().signal);
  const found = async () => (await kiln.paths(connectionId)).length;

  it('a sync fails above the maximum of nodes of the connection, folders included, and keeps the nodes it found', async () => {
    await connected();
    kiln.limits.nodes = 10;
    store.answer = pagesInOrder(google, [['a/1', 'a/2', 'a/3'], ['b/1', 'b/2'], ['c/1', 'c/2', 'c/3'], []]);
    const { outcome, row } = await kiln.sync(tenantId, connectionId);
    expect([outcome, row?.error_code]).toStrictEqual(['failed', 'too_many_objects']);
    expect(row?.error_message ?? '').toMatch(/more than 10 files and folders/);
    // Pages that fit are kept.
    expect(await found()).toBe(7);
    store.answer = pagesInOrder(google, [['a/1', 'a/2', 'b/1', 'b/2']]);
    // A smaller bucket fits again.
    expect((await kiln.sync(tenantId, connectionId)).outcome).toBe('completed');
    expect(await found()).toBe(6);
  });

  it('a sync fails above the maximum of nodes of the plan, as a request has last given it', async () => {
    await connected();
    store.answer = pagesInOrder(google, [['1', '2', '3'], ['4']]);
    await kiln.connections.setPlanLimits(tenantId, connectionId, { nodes_limit: 3 });
    const { row } = await kiln.sync(tenantId, connectionId);
    expect([row?.error_code, row?.error_message]).toStrictEqual([
      'too_many_objects',
      'The bucket holds more than 3 files and folders, which is the limit of a connection. Narrow the prefix.',
    ]);
    await kiln.connections.setPlanLimits(tenantId, connectionId, { pages_limit: null });
    expect((await kiln.sync(tenantId, connectionId)).outcome).toBe('failed');
    // No plan is allowed more than the configured maximum.
    await kiln.connections.setPlanLimits(tenantId, connectionId, { nodes_limit: 1_000 });
    kiln.limits.nodes = 3;
    expect((await kiln.sync(tenantId, connectionId)).outcome).toBe('failed');
    kiln.limits.nodes = 4;
    expect((await kiln.sync(tenantId, connectionId)).outcome).toBe('completed');
  });

  it('nodes that are gone do not count towards the maximum, up to as many again', async () => {
    await connected();
    kiln.limits.nodes = 10;
    const pages = (...folders: string[]) => folders.map((folder) => [`${folder}/1`, `${folder}/2`, `${folder}/3`]);
    store.answer = pagesInOrder(google, pages('a', 'b'));
    expect((await kiln.sync(tenantId, connectionId)).outcome).toBe('completed');
    store.answer = pagesInOrder(google, pages('c', 'd'));
    const replaced = await kiln.sync(tenantId, connectionId);
    expect([replaced.outcome, replaced.row?.files_deleted, await found()]).toStrictEqual(['completed', 6, 8]);
    // Syncs that fail after each other remove nothing.
    for (const round of [1, 2, 3]) {
      store.answer = (response, { url = '/' }) => {
        const token = google.tokenOf(new URL(url, store.url));
        if (token === null)
          response.end(google.page({ objects: [1, 2, 3, 4].map((n) => ({ key: `${round}/${n}` })), next: 'x' }));
        else response.end('{}');
      };
      await kiln.sync(tenantId, connectionId);
    }
    expect(await found()).toBe(18);
  });

  it('a sync fails above the maximum of objects that cannot be stored', async () => {
    await connected();
    kiln.limits.nodes = 3;
    const objects = ['1', '2', '3', '4'].map((key) => ({ key, sizeBytes: -1 }));
    store.answer = (response) => void response.end(google.page({ objects, next: 'more' }));
    expect((await kiln.sync(tenantId, connectionId)).row?.error_code).toBe('too_many_objects');
  });

  it('a sync fails when it takes too long, counted from the first claim', async () => {
    await connected();
    kiln.limits.pagesPerClaim = 1;
    store.answer = pagesInOrder(google, [['a'], ['b'], ['c']]);
    const { id } = await kiln.begin(tenantId, connectionId);
    expect(await claim()).toBe('yielded');
    await kiln.sql(
      `update syncs set started_at = started_at - interval '2 hours',
        created_at = created_at - interval '2 hours' where id = $1`,
      [id],
    );
    expect(await claim()).toBe('failed');
    const row = await kiln.syncs.find(tenantId, id);
    expect(row?.error_code).toBe('timeout');
    expect(row?.error_message ?? '').toMatch(/within 1 hours/);
  });

  it('a claim ends at the end of a page when its time is over', async () => {
    await connected();
    kiln.limits.claimMs = 0;
    store.answer = pagesInOrder(google, [['a'], ['b'], ['c']]);
    await kiln.begin(tenantId, connectionId);
    expect([await claim(), await claim(), await claim()]).toStrictEqual(['yielded', 'yielded', 'completed']);
    expect(await kiln.paths(connectionId)).toStrictEqual(['a', 'b', 'c']);
  });

  it('a sync skips an ETag with NUL, a negative size and excessive folder depth', async () => {
    await connected();
    const objects = [
      { key: 'deep/'.repeat(200) },
      { key: 'good' },
      { key: 'nul', etag: 'a\0b' },
      { key: 'size', sizeBytes: -5 },
    ];
    store.answer = (response) => void response.end(google.page({ objects }));
    const { outcome, row } = await kiln.sync(tenantId, connectionId);
    expect([outcome, row?.skipped, row?.files_added]).toStrictEqual(['completed', 3, 1]);
    expect(await kiln.paths(connectionId)).toStrictEqual(['good']);
  });

  it('a sync fails after eight failed claims when the database rejects a page; then another sync can start', async () => {
    await connected();
    await kiln.sql(`create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused'; end $$`);
    await kiln.sql(`create trigger refuses before insert on nodes for each row
      when (new.path = 'poison') execute function refuse()`);
    store.answer = pagesInOrder(google, [['poison']]);
    const { id } = await kiln.begin(tenantId, connectionId);
    const outcomes: string[] = [];
    while (outcomes.length < ATTEMPTS_MAX) {
      await kiln.leasesEnd();
      outcomes.push(await claim());
    }
    expect(outcomes).toStrictEqual([...Array<string>(ATTEMPTS_MAX - 1).fill('postponed'), 'failed']);
    const row = await kiln.syncs.find(tenantId, id);
    expect([row?.status, row?.error_code]).toStrictEqual(['failed', 'internal']);
    // Nothing internal is shown.
    expect(row?.error_message ?? '').not.toMatch(/refused|nodes/);
    await kiln.sql('drop trigger refuses on nodes; drop function refuse');
    expect((await kiln.sync(tenantId, connectionId)).outcome).toBe('completed');
  });

  it('a sync fails after eight claims whose worker died without committing a page', async () => {
    await connected();
    store.answer = pagesInOrder(google, [['a']]);
    const { id } = await kiln.begin(tenantId, connectionId);
    for (let died = 0; died < ATTEMPTS_MAX; died++) {
      expect((await kiln.claimOne()).failures).toBe(died);
      await kiln.leasesEnd();
    }
    expect(await claim()).toBe('failed');
    expect((await kiln.syncs.find(tenantId, id))?.error_code).toBe('internal');
  });
});
