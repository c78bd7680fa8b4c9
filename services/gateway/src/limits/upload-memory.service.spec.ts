import { describe, expect, it } from '@jest/globals';
import type { CodedError } from '@kiln/contracts';
import { UploadMemory, type UploadHold } from './upload-memory.service.js';

const MIB = 1024 * 1024;
type Announced = Parameters<UploadMemory['hold']>[1];
const announced = (bytes: number): Announced => ({ headers: { 'content-length': String(bytes) } });
const UNKNOWN: Announced = { headers: {} };
const LARGE = announced(5_000 * MIB);

const memoryOf = (bytesMax: number, partsBytes = 16 * MIB) =>
  new UploadMemory(bytesMax, { putMemoryBytes: () => partsBytes });

function holds(memory: UploadMemory, tenantId: string, request = LARGE): UploadHold[] {
  const taken: UploadHold[] = [];
  for (;;) {
    try {
      taken.push(memory.hold(tenantId, request));
    } catch (error) {
      expect(error).toMatchObject({ code: 'UNAVAILABLE', status: 503, retryAfterSeconds: 5 });
      return taken;
    }
  }
}

describe('the memory for uploads', () => {
  it('is bounded for all, and one tenant leaves room for the next ones', () => {
    const memory = memoryOf(192 * MIB);
    const counts = ['first', 'second', 'third'].map((tenantId) => holds(memory, tenantId).length);
    expect(counts).toStrictEqual([5, 3, 1]);
    expect(memory.heldBytes).toBeLessThanOrEqual(192 * MIB);
  });

  it('is taken by what the store needs for parts', () => {
    const counts = [16, 24].map((mebibytes) => holds(memoryOf(192 * MIB, mebibytes * MIB), 'a').length);
    expect(counts).toStrictEqual([5, 4]);
  });

  it('is taken by what a body can need: little for one that announces little', () => {
    const memory = memoryOf(64 * MIB);
    expect(holds(memory, 'a', announced(1_000)).length).toBeGreaterThan(500);
  });

  it('is taken for a body of unknown length when its file is found to be large, or the upload is refused', () => {
    const memory = memoryOf(64 * MIB);
    const uploads = holds(memory, 'a', UNKNOWN).slice(0, 5);
    const refused = () => uploads.at(-1)?.growFor(5_000 * MIB);
    expect(refused).toThrow(/Retry when some have ended/);
    expect(() => memory.hold('b', announced(10 * MIB))).not.toThrow();
  });

  it('is free again after each upload, and after one that was refused while it grew', () => {
    const memory = memoryOf(64 * MIB);
    const taken = holds(memory, 'a');
    const small = memory.hold('b', UNKNOWN);
    const others = holds(memory, 'c');
    let refusal: CodedError | undefined;
    try {
      small.growFor(5_000 * MIB);
    } catch (error) {
      refusal = error as CodedError;
    }
    expect(refusal?.code).toBe('UNAVAILABLE');
    for (const hold of [...taken, ...others, small]) hold.release();
    expect(memory.heldBytes).toBe(0);
  });
});
