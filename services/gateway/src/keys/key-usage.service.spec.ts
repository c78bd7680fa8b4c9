import { describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { randomUUID } from 'node:crypto';
import type { KeyUse } from './key-usage.store.js';
import { KeyUsage } from './key-usage.service.js';

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
const recordAll = (usage: KeyUsage) => keyIds.forEach((keyId) => usage.record(keyId));

describe('the use of keys', () => {
  it('is written once per key, however often the key was used, and not at all when none was', async () => {
    const recorder = new Recorder();
    const usage = new KeyUsage(recorder);
    await usage.flush();
    for (let times = 0; times < 5; times++) recordAll(usage);
    await usage.flush();
    await usage.flush();
    expect(recorder.saved.map((uses) => uses.map(({ keyUuid }) => keyUuid))).toStrictEqual([[...uuids]]);
  });

  it('is kept while the database is unavailable', async () => {
    const recorder = new Recorder();
    const usage = new KeyUsage(recorder);
    recordAll(usage);
    recorder.failing = true;
    await expect(usage.flush()).rejects.toThrow(/away/);
    recorder.failing = false;
    await usage.flush();
    expect(recorder.saved[0]?.length).toBe(3);
  });

  it('never holds more keys in memory than its limit', async () => {
    const recorder = new Recorder();
    const usage = new KeyUsage(recorder, 2);
    recordAll(usage);
    await usage.flush();
    expect(recorder.saved[0]?.length).toBe(2);
  });
});
