// Real: Postgres, the engine of syncs, the SDKs of the three providers. Faked: the stores, which violate their protocols.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import {
  azureShape,
  connectionTo,
  googleShape,
  listingShapes,
  pagesInOrder,
  s3Shape,
  startScriptedStore,
  type Answer,
  type ListingShape,
  type ScriptedStore,
} from '../test/scripted-store.js';
import { newLimits, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `${String(from + index).padStart(3, '0')}.txt`);
const KEYS = numbered(0, 30);
const PAGES = [KEYS.slice(0, 10), KEYS.slice(10, 20), KEYS.slice(20)];

for (const shape of listingShapes) {
  describe(`a sync of ${shape.provider}`, () => {
    let store: ScriptedStore;
    let kiln: SyncsHarness;
    let tenantId: string;
    beforeAll(async () => {
      store = await startScriptedStore();
      kiln = await startSyncs({ gcsEndpoint: store.url, azureEndpoint: `${store.url}/{account}` });
    });
    afterEach(async () => {
      Object.assign(kiln.limits, newLimits());
      await kiln.sql(`update syncs set status = 'cancelled' where status in ('pending', 'syncing')`);
    });
    afterAll(async () => {
      await kiln.close();
      await store.close();
    });

    /** Thirty nodes, from a listing of three pages. */
    async function synced(): Promise<string> {
      tenantId = uuidv7();
      const connectionId = await kiln.connect(tenantId, connectionTo(shape, store.url));
      store.answer = pagesInOrder(shape, PAGES);
      const { outcome } = await kiln.sync(tenantId, connectionId);
      expect(outcome).toBe('completed');
      expect(await kiln.paths(connectionId)).toStrictEqual(KEYS);
      return connectionId;
    }

    /** Asserts that a sync against this answer fails, and that all nodes of an earlier sync remain. */
    async function assertRemovesNothing(answer: Answer): Promise<void> {
      const connectionId = await synced();
      store.answer = answer;
      const { outcome, row } = await kiln.sync(tenantId, connectionId);
      expect([outcome, row?.status, row?.error_code]).toStrictEqual(['failed', 'failed', 'listing_incomplete']);
      expect(row?.files_deleted).toBe(0);
      expect((await kiln.paths(connectionId)).length).toBeGreaterThanOrEqual(KEYS.length);
      expect((await kiln.connections.find(tenantId, connectionId))?.error_code).toBe('listing_incomplete');
    }
    const answerOf = (textOf: () => string): Answer => {
      return (response) => void response.setHeader('content-type', shape.contentType).end(textOf());
    };

    const notListings = ['', '<html><body>Sign in</body></html>', '{}', shape.page({}).slice(0, -9)];
    it.each(notListings)('fails and removes nothing when the store answers 200 without a listing: %j', async (text) => {
      await assertRemovesNothing(answerOf(() => text));
    });

    it.each(notListings)(
      'fails and removes nothing when the pages after the first are no listing: %j',
      async (text) => {
        const first = pagesInOrder(shape, PAGES);
        const others = answerOf(() => text);
        await assertRemovesNothing((response, request) => {
          const isFirst = shape.tokenOf(new URL(request.url ?? '/', store.url)) === null;
          (isFirst ? first : others)(response, request);
        });
      },
    );

    it.each([
      ['a page that comes twice', [KEYS.slice(0, 10), KEYS.slice(0, 10), []]],
      ['a page before the first', [KEYS.slice(10, 20), KEYS.slice(0, 10), []]],
      ['a key that comes twice in a page', [['000.txt', '000.txt']]],
      ['keys that fall in a page', [['001.txt', '000.txt']]],
    ])('fails and removes nothing when the store lists %s', async (_, listed) => {
      await assertRemovesNothing(pagesInOrder(shape, listed));
    });

    it('fails and removes nothing when a page refers to itself', async () => {
      await assertRemovesNothing(answerOf(() => shape.page({ next: 'same' })));
    });

    it('fails and removes nothing when empty pages never end', async () => {
      let token = 0;
      await assertRemovesNothing(answerOf(() => shape.page({ next: `t${token++}` })));
      expect(token).toBeLessThanOrEqual(kiln.limits.emptyPages + 2);
    });

    it('that would remove more than half of the nodes fails, and completes with force', async () => {
      const connectionId = await synced();
      store.answer = pagesInOrder(shape, [KEYS.slice(0, 9)]);
      const stopped = await kiln.sync(tenantId, connectionId);
      expect([stopped.outcome, stopped.row?.error_code]).toStrictEqual(['failed', 'too_many_deletions']);
      expect(stopped.row?.error_message ?? '').toMatch(/no longer lists 21 of 30 nodes.*force/);
      expect(await kiln.paths(connectionId)).toStrictEqual(KEYS);
      const forced = await kiln.sync(tenantId, connectionId, true);
      expect([forced.outcome, forced.row?.files_deleted]).toStrictEqual(['completed', 21]);
      expect(await kiln.paths(connectionId)).toStrictEqual(KEYS.slice(0, 9));
      expect((await kiln.connections.find(tenantId, connectionId))?.status).toBe('active');
    });

    it('that would remove more than half of the nodes of the last completed sync fails, however many a refused one has added', async () => {
      const connectionId = await synced();
      store.answer = pagesInOrder(shape, [numbered(100, 160)]);
      for (const _ of [1, 2]) {
        const { outcome, row } = await kiln.sync(tenantId, connectionId);
        expect([outcome, row?.error_code]).toStrictEqual(['failed', 'too_many_deletions']);
        expect(row?.error_message ?? '').toMatch(/no longer lists 30 of 30 nodes/);
      }
      const forced = await kiln.sync(tenantId, connectionId, true);
      expect([forced.outcome, forced.row?.files_deleted]).toStrictEqual(['completed', 30]);
    });

    it('that removes at most 20 nodes needs no force', async () => {
      const connectionId = await synced();
      store.answer = pagesInOrder(shape, [KEYS.slice(0, 10)]);
      const { outcome, row } = await kiln.sync(tenantId, connectionId);
      expect([outcome, row?.files_deleted]).toStrictEqual(['completed', 20]);
    });

    it('resumes by the token of the provider in its next claims, and lists every page once', async () => {
      const connectionId = await synced();
      kiln.limits.pagesPerClaim = 1;
      store.asked.length = 0;
      await kiln.begin(tenantId, connectionId);
      const outcomes: string[] = [];
      for (const _ of PAGES)
        outcomes.push(await kiln.runSync.execute(await kiln.claimOne(), new AbortController().signal));
      expect(outcomes).toStrictEqual(['yielded', 'yielded', 'completed']);
      expect(store.asked.map((url) => shape.tokenOf(url))).toStrictEqual([null, '1', '2']);
      expect(await kiln.paths(connectionId)).toStrictEqual(KEYS);
    });

    it('skips objects that cannot be stored, counts them, and keeps their earlier nodes', async () => {
      const connectionId = await synced();
      const broken = (at: number) => (at === 0 ? { sizeBytes: -1 } : { etag: 'e'.repeat(2_000) });
      const objects = KEYS.map((key, at) => ({ key, ...(at < 2 && broken(at)) }));
      const text = shape.page({ objects });
      store.answer = (response) => void response.setHeader('content-type', shape.contentType).end(text);
      const { outcome, row } = await kiln.sync(tenantId, connectionId);
      expect([outcome, row?.skipped, row?.files_deleted]).toStrictEqual(['completed', 2, 0]);
      expect(await kiln.paths(connectionId)).toStrictEqual(KEYS);
    });
  });
}

describe('the order of keys', () => {
  const BY_DIRECTORY = [
    ['a', 'a/b'],
    ['a/c', 'a-b', 'a.txt'],
  ];

  async function outcomeOf(shape: ListingShape) {
    const store = await startScriptedStore();
    const kiln = await startSyncs({ gcsEndpoint: store.url, azureEndpoint: `${store.url}/{account}` });
    try {
      const tenantId = uuidv7();
      const connectionId = await kiln.connect(tenantId, connectionTo(shape, store.url));
      store.answer = pagesInOrder(shape, BY_DIRECTORY);
      const { outcome } = await kiln.sync(tenantId, connectionId);
      return { outcome, paths: await kiln.paths(connectionId) };
    } finally {
      await kiln.close();
      await store.close();
    }
  }

  it('may be the order of directories at Azure only', async () => {
    expect(await outcomeOf(azureShape)).toStrictEqual({
      outcome: 'completed',
      paths: ['a', 'a-b', 'a.txt', 'a/', 'a/b', 'a/c'],
    });
    expect((await outcomeOf(s3Shape)).outcome).toBe('failed');
    expect((await outcomeOf(googleShape)).outcome).toBe('failed');
  });
});
