import { encodeId } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { KeyUse } from './api-key.store.js';
import { KeyUsage } from './key-usage.js';

class Recorder {
  readonly saved: KeyUse[][] = [];
  failing = false;

  async saveUses(uses: readonly KeyUse[]): Promise<void> {
    if (this.failing) throw new Error('the database is away');
    this.saved.push([...uses]);
  }
}

const uuids = [randomUUID(), randomUUID(), randomUUID()] as const;
const keyIds = uuids.map((uuid) => encodeId('key', uuid));
const noteAll = (usage: KeyUsage) => keyIds.forEach((keyId) => usage.note(keyId));

describe('the use of keys', () => {
  it('is written once per key, however often the key was used, and not at all when none was', async () => {
    const recorder = new Recorder();
    const usage = new KeyUsage(recorder);
    await usage.flush();
    for (let times = 0; times < 5; times++) noteAll(usage);
    await usage.flush();
    await usage.flush();
    assert.deepEqual(
      recorder.saved.map((uses) => uses.map(({ keyUuid }) => keyUuid)),
      [[...uuids]],
    );
  });

  it('outlives a database that is away', async () => {
    const recorder = new Recorder();
    const usage = new KeyUsage(recorder);
    noteAll(usage);
    recorder.failing = true;
    await assert.rejects(usage.flush(), /away/);
    recorder.failing = false;
    await usage.flush();
    assert.equal(recorder.saved[0]?.length, 3);
  });

  it('never takes more than so many keys into memory', async () => {
    const recorder = new Recorder();
    const usage = new KeyUsage(recorder, 2);
    noteAll(usage);
    await usage.flush();
    assert.equal(recorder.saved[0]?.length, 2);
  });
});
