// Real: Postgres, the engine of syncs, Google's JSON API as the SDK speaks it. Faked: the store.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import {
  connectionTo,
  googleShape as google,
  pagesInTurn,
  startScriptedStore,
  type ScriptedStore,
} from '../test/scripted-store.js';
import { newLimits, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const ATTEMPTS_MAX = 8;

describe('a sync has bounds:', () => {
  let store: ScriptedStore;
  let kiln: SyncsHarness;
  let tenantId: string;
  let connectionId: string;
  before(async () => {
    store = await startScriptedStore();
    kiln = await startSyncs({ gcsEndpoint: store.url });
  });
  afterEach(async () => {
    Object.assign(kiln.limits, newLimits());
    await kiln.sql(`update syncs set status = 'cancelled' where status in ('pending', 'syncing')`);
  });
  after(async () => {
    await kiln.close();
    await store.close();
  });

  async function connected(): Promise<void> {
    tenantId = uuidv7();
    connectionId = await kiln.connect(tenantId, connectionTo(google, store.url));
  }
  const claim = async () => kiln.runSync.execute(await kiln.claimOne(), new AbortController().signal);
  const found = async () => (await kiln.paths(connectionId)).length;

  it('nodes, folders included, over all syncs of the connection, and what was found stays', async () => {
    await connected();
    kiln.limits.nodes = 10;
    store.answer = pagesInTurn(google, [['a/1', 'a/2', 'a/3'], ['b/1', 'b/2'], ['c/1', 'c/2', 'c/3'], []]);
    const { outcome, row } = await kiln.sync(tenantId, connectionId);
    assert.deepEqual([outcome, row?.error_code], ['failed', 'too_many_objects']);
    assert.match(row?.error_message ?? '', /more than 10 files and folders/);
    assert.equal(await found(), 7, 'pages that fit are kept');
    store.answer = pagesInTurn(google, [['d/1', 'd/2', 'd/3']]);
    assert.equal((await kiln.sync(tenantId, connectionId)).row?.error_code, 'too_many_objects');
    assert.equal(await found(), 7, 'a second sync adds nothing beyond it either');
    store.answer = pagesInTurn(google, [['a/1', 'a/2', 'b/1', 'b/2']]);
    assert.equal((await kiln.sync(tenantId, connectionId)).outcome, 'completed', 'a smaller bucket fits again');
    assert.equal(await found(), 6);
  });

  it('objects that can not be kept', async () => {
    await connected();
    kiln.limits.nodes = 3;
    const objects = ['1', '2', '3', '4'].map((key) => ({ key, sizeBytes: -1 }));
    store.answer = (response) => void response.end(google.page({ objects, next: 'more' }));
    assert.equal((await kiln.sync(tenantId, connectionId)).row?.error_code, 'too_many_objects');
  });

  it('time, from the first claim on', async () => {
    await connected();
    kiln.limits.pagesPerClaim = 1;
    store.answer = pagesInTurn(google, [['a'], ['b'], ['c']]);
    const { id } = await kiln.begin(tenantId, connectionId);
    assert.equal(await claim(), 'yielded');
    await kiln.sql(`update syncs set started_at = started_at - interval '2 hours' where id = $1`, [id]);
    assert.equal(await claim(), 'failed');
    const row = await kiln.syncs.find(tenantId, id);
    assert.equal(row?.error_code, 'timeout');
    assert.match(row.error_message ?? '', /within 1 hours/);
  });

  it('a claim: it ends after its time at the end of a page', async () => {
    await connected();
    kiln.limits.claimMs = 0;
    store.answer = pagesInTurn(google, [['a'], ['b'], ['c']]);
    await kiln.begin(tenantId, connectionId);
    assert.deepEqual([await claim(), await claim(), await claim()], ['yielded', 'yielded', 'completed']);
    assert.deepEqual(await kiln.paths(connectionId), ['a', 'b', 'c']);
  });

  it('a page of poison: an ETag with NUL, a size below nothing and folders without end are skipped', async () => {
    await connected();
    const objects = [
      { key: 'deep/'.repeat(200) },
      { key: 'good' },
      { key: 'nul', etag: 'a\0b' },
      { key: 'size', sizeBytes: -5 },
    ];
    store.answer = (response) => void response.end(google.page({ objects }));
    const { outcome, row } = await kiln.sync(tenantId, connectionId);
    assert.deepEqual([outcome, row?.skipped, row?.files_added], ['completed', 3, 1]);
    assert.deepEqual(await kiln.paths(connectionId), ['good']);
  });

  it('attempts, when the database refuses what no check has foreseen; then another sync may begin', async () => {
    await connected();
    await kiln.sql(`create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused'; end $$`);
    await kiln.sql(`create trigger refuses before insert on node_rows for each row
      when (new.path = 'poison') execute function refuse()`);
    store.answer = pagesInTurn(google, [['poison']]);
    const { id } = await kiln.begin(tenantId, connectionId);
    const outcomes: string[] = [];
    while (outcomes.length < ATTEMPTS_MAX) {
      await kiln.leasesEnd();
      outcomes.push(await claim());
    }
    assert.deepEqual(outcomes, [...Array<string>(ATTEMPTS_MAX - 1).fill('postponed'), 'failed']);
    const row = await kiln.syncs.find(tenantId, id);
    assert.deepEqual([row?.status, row?.error_code], ['failed', 'internal']);
    assert.doesNotMatch(row?.error_message ?? '', /refused|node_rows/, 'nothing internal is shown');
    await kiln.sql('drop trigger refuses on node_rows; drop function refuse');
    assert.equal((await kiln.sync(tenantId, connectionId)).outcome, 'completed');
  });

  it('claims whose worker has died without a page in between', async () => {
    await connected();
    store.answer = pagesInTurn(google, [['a']]);
    const { id } = await kiln.begin(tenantId, connectionId);
    for (let died = 0; died < ATTEMPTS_MAX; died++) {
      assert.equal((await kiln.claimOne()).failures, died);
      await kiln.leasesEnd();
    }
    assert.equal(await claim(), 'failed');
    assert.equal((await kiln.syncs.find(tenantId, id))?.error_code, 'internal');
  });
});
