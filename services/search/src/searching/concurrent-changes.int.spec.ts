// Real: Postgres, the object store. Faked: nothing. A lock on the table of chunks blocks the second statement of a search until the
// transaction that holds the lock has deleted or replaced a file that the first statement found.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { uuidOf } from '@kiln/contracts';
import type { Database, Statement, Transaction } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { FileRemovalStore } from '../deletion/file-removal.store.js';
import { IndexStore } from '../text-index/index.store.js';
import { BLOCKED, openSuperuser } from '../test/other-session.js';
import { startSearch, type SearchHarness } from '../test/search-harness.js';

describe('a search while files change', () => {
  let kiln: SearchHarness;
  let other: Awaited<ReturnType<Database['dedicatedClient']>>;
  beforeAll(async () => {
    kiln = await startSearch();
    other = await openSuperuser(kiln.database);
  });
  afterAll(async () => {
    await other.end();
    await kiln.close();
  });

  /** Runs the stores' own statements in the transaction that holds the lock. */
  const withinLock = () => {
    const query = async (statement: Statement, values?: unknown[]) => (await other.query(statement.text, values)).rows;
    const transaction = (work: (transaction: Transaction) => unknown) => work({ query } as Transaction);
    return { query, transaction } as unknown as Database;
  };

  const searchWhile = async (tenantId: string, query: string, change: (database: Database) => Promise<unknown>) => {
    await other.query('begin');
    await other.query('lock table chunks');
    const answer = kiln.search(tenantId, query);
    await eventually(async () => (await other.query(BLOCKED)).rows.length > 0);
    await change(withinLock());
    await other.query('commit');
    const { results, total } = await answer;
    return { total, found: results.map(({ file_id: id, chunk_text: text }) => [id, text]) };
  };

  const replace = (tenantId: string, fileId: string, text: string) => (database: Database) => {
    const file = {
      tenantId,
      fileId,
      filename: 'x.txt',
      title: null,
      space: 'default',
      contentType: null,
      metadata: {},
      embedding: null,
      language: 'english' as const,
    };
    const run = { jobId: randomUUID(), jobNumber: 2, fence: 1 };
    const chunk = { index: 0, text, start: 0, end: text.length, page: null, heading_path: [] };
    return new IndexStore(database).replace({ ...file, run }, [[chunk]]);
  };

  for (const merged of [false, true]) {
    const where = merged ? 'that is merged' : 'that is in the tail';
    const twoFiles = async () => {
      const tenantId = randomUUID();
      const changed = await kiln.index({ tenantId, chunks: ['word of the first version'] });
      const current = await kiln.index({ tenantId, chunks: ['word that stands'] });
      if (merged) await kiln.merge(tenantId);
      return { tenantId, changed, current };
    };

    it(`does not return a file ${where} and is deleted`, async () => {
      const { tenantId, changed, current } = await twoFiles();
      const answer = await searchWhile(tenantId, 'word', async (database) => {
        const removals = new FileRemovalStore(database);
        await removals.remove(database, tenantId, uuidOf('file', changed));
        await removals.removeNext();
      });
      expect(answer).toStrictEqual({ total: 1, found: [[current, 'word that stands']] });
    });

    it(`returns the new version, once, of a file ${where} and is replaced`, async () => {
      const { tenantId, changed, current } = await twoFiles();
      const answer = await searchWhile(tenantId, 'word', replace(tenantId, uuidOf('file', changed), 'word, as it is'));
      const found = new Map([
        [changed, 'word, as it is'],
        [current, 'word that stands'],
      ]);
      expect(answer.total).toBe(2);
      expect(new Map(answer.found as [string, string][])).toStrictEqual(found);
    });

    it(`does not return a file ${where} and is replaced by a version without the word`, async () => {
      const { tenantId, changed, current } = await twoFiles();
      const answer = await searchWhile(tenantId, 'word', replace(tenantId, uuidOf('file', changed), 'something else'));
      expect(answer).toStrictEqual({ total: 1, found: [[current, 'word that stands']] });
    });
  }

  for (const merged of [false, true]) {
    it(`checks a phrase in the current version, ${merged ? 'merged' : 'in the tail'}, of a file that is replaced meanwhile`, async () => {
      const tenantId = randomUUID();
      const lost = await kiln.index({ tenantId, chunks: ['red fox'] });
      const gained = await kiln.index({ tenantId, chunks: ['fox red'] });
      const current = await kiln.index({ tenantId, chunks: ['a red fox'] });
      if (merged) await kiln.merge(tenantId);
      const answer = await searchWhile(tenantId, '"red fox"', async (database) => {
        await replace(tenantId, uuidOf('file', lost), 'fox red')(database);
        await replace(tenantId, uuidOf('file', gained), 'one red fox')(database);
      });
      expect(answer.total).toBe(2);
      expect(new Map(answer.found as [string, string][])).toStrictEqual(
        new Map([
          [current, 'a red fox'],
          [gained, 'one red fox'],
        ]),
      );
    });
  }

  it('returns a file once that is merged during the search', async () => {
    const tenantId = randomUUID();
    const file = await kiln.index({ tenantId, chunks: ['word'] });
    const answer = await searchWhile(tenantId, 'word', () => kiln.merge(tenantId));
    expect(answer).toStrictEqual({ total: 1, found: [[file, 'word']] });
  });
});
