// Real: Postgres, a bucket of its own: others' objects would be orphans here. Faked: the passing of time, by a short grace, and by ids that say they are old.
import { sourceKey, uuidOf } from '@kiln/contracts';
import type { ListOptions, ObjectStore } from '@kiln/storage';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';
import { FindOrphans } from './find-orphans.usecase.js';

const HOUR_MS = 3_600_000;
const idOfAge = (hours: number) => uuidv7({ msecs: Date.now() - hours * HOUR_MS });

describe('the search for orphaned objects', () => {
  let kiln: FilesHarness;
  before(async () => {
    kiln = await startFiles({ bucket: `orphans-${uuidv7()}` });
  });
  after(() => kiln.close());

  const put = (tenantId: string, fileId: string, name = 'source') =>
    kiln.objects.put(`${tenantId}/${fileId}/${name}`, 'text', { contentType: 'text/plain' });
  const keysOf = async (tenantId: string) =>
    (await kiln.objects.list(`${tenantId}/`)).objects
      .map(({ key }) => key.split('/')[1] ?? '')
      .toSorted((a, b) => a.localeCompare(b));
  /** `grace` by ids as it is in production; by the time of the bytes, none. */
  const searcher = (objects: Pick<ObjectStore, 'list' | 'abortStaleUploads'> = kiln.objects, graceSeconds = 0) =>
    new FindOrphans(kiln.orphanSearch, kiln.removals, objects, () => undefined, { graceSeconds, pauseSeconds: 0 });
  const startOver = () =>
    kiln.sql(`update orphan_search set seen_until = '-infinity', pass_until = null, after_tenant = '',
              leased_until = '-infinity', next_pass_at = now()`);
  const removeDue = async () => {
    while (await kiln.removeObjects.round());
  };

  it('removes what no file owns and leaves what one owns, also one of a deleted space', async () => {
    await startOver();
    const context = contextOf(uuidv7());
    const { tenantId } = context;
    const [first, second] = [idOfAge(48), idOfAge(47)];
    await put(tenantId, first);
    await put(tenantId, second, 'job/1/markdown.md');
    const [file, hidden] = [storedFile(), storedFile({ space: 'gone' })];
    for (const input of [file, hidden]) {
      await kiln.createFile.execute(input, context);
      await put(tenantId, uuidOf('file', input.file_id));
    }
    await kiln.deleteSpace.execute({ name: 'gone', cascade: true }, context);
    assert.equal(await searcher().round(), true);
    await removeDue();
    const kept = [file, hidden].map(({ file_id: id }) => uuidOf('file', id)).toSorted();
    assert.deepEqual(await keysOf(tenantId), kept);
  });

  it('touches neither a young id nor young bytes of an old one', async () => {
    await startOver();
    const tenantId = uuidv7();
    const [young, old] = [idOfAge(1), idOfAge(48)];
    await put(tenantId, young);
    await put(tenantId, old);
    assert.equal(await searcher(kiln.objects, 12 * 3_600).round(), true);
    await removeDue();
    assert.deepEqual(await keysOf(tenantId), [old, young].toSorted());
    const rows = await kiln.sql<{ file_id: string; later: boolean }>(
      `select file_id, next_attempt_at > now() + interval '11 h' as later from object_removals where tenant_id = $1`,
      [tenantId],
    );
    assert.deepEqual(rows, [{ file_id: old, later: true }]);
  });

  it('lists of each tenant only the ids since the last pass', async () => {
    await startOver();
    const tenantId = uuidv7();
    await put(tenantId, idOfAge(48));
    await searcher().round();
    const asked: ListOptions[] = [];
    await searcher({
      abortStaleUploads: (options) => kiln.objects.abortStaleUploads(options),
      list: (prefix: string, options: ListOptions = {}) => {
        if (prefix === `${tenantId}/`) asked.push(options);
        return kiln.objects.list(prefix, options);
      },
    }).round();
    assert.equal(asked.length, 1);
    assert.ok((asked[0]?.startAfter ?? '') > sourceKey(tenantId, idOfAge(1)), asked[0]?.startAfter);
  });

  it('is done by one process at a time, and goes on where a dead one stopped', async () => {
    await startOver();
    const dead = await kiln.orphanSearch.claim(600, 0);
    assert.ok(dead);
    assert.equal(await searcher().round(), false, 'leased');
    const [done, open] = [uuidv7(), uuidv7()].toSorted() as [string, string];
    await put(done, idOfAge(48));
    await put(open, idOfAge(48));
    await kiln.orphanSearch.advance(dead, done, 600);
    await kiln.sql(`update orphan_search set leased_until = '-infinity'`);
    assert.equal(await searcher().round(), true);
    await removeDue();
    assert.deepEqual([(await keysOf(done)).length, (await keysOf(open)).length], [1, 0]);
    assert.equal(await kiln.orphanSearch.advance(dead, open, 600), false, 'the dead one has lost it');
  });
});
