import { describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { randomUUID } from 'node:crypto';
import { KeyUsage } from './key-usage.service.js';

class Recorder {
  readonly saved: string[][] = [];
  failing = false;

  async saveUses(usedAt: ReadonlyMap<string, number>): Promise<void> {
    if (this.failing) throw new Error('the database is away');
    this.saved.push([...usedAt.keys()]);
  }
}

const keyIds = Array.from({ length: 3 }, () => encodeId('key', randomUUID()));
const recordAll = (usage: KeyUsage) => keyIds.forEach((keyId) => usage.record(keyId));

describe('the use of keys', () => {
  it('is written once per key, however often the key was used, and not at all when none was', async () => {
    const recorder = new Recorder();
    const usage = new KeyUsage(recorder);
    await usage.flush();
    for (let times = 0; times < 5; times++) recordAll(usage);
    await usage.flush();
    await usage.flush();
    expect(recorder.saved).toStrictEqual([keyIds]);
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
