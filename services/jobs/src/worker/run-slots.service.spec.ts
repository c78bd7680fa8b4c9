import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ClaimedJob } from '../jobs/job.rows.js';
import type { ActiveRun } from './active-run.service.js';
import { RunSlots } from './run-slots.service.js';

const CONCURRENCY = 3;
const RESERVED = 2;

describe('the room of a worker', () => {
  let room: RunSlots;
  let runs: ActiveRun[];
  beforeEach(() => {
    jest.useFakeTimers();
    room = new RunSlots({ concurrency: CONCURRENCY, reserved: RESERVED }, () => {});
    runs = [];
  });
  afterEach(() => void jest.useRealTimers());

  const enter = (tenantId: string, count = 1) => {
    for (let run = 0; run < count; run++)
      runs.push(room.enter({ tenant_id: tenantId, id: String(runs.length), fence: 1 } as ClaimedJob));
  };
  const leave = (index: number) => {
    for (const run of runs.splice(index, 1)) room.leave(run);
  };
  const free = () => room.free(runs.length);

  it('is free for as many runs as configured', () => {
    expect(free()).toBe(CONCURRENCY);
    enter('large', 2);
    expect(free()).toBe(1);
    enter('large');
    expect(free()).toBe(0);
    leave(0);
    expect(free()).toBe(1);
  });

  it('is reserved for tenants without a run beyond that', () => {
    enter('large', CONCURRENCY);
    expect(room.reserved).toBe(RESERVED);
    expect(room.tenantIds).toStrictEqual(['large']);
    enter('small', RESERVED);
    expect(room.reserved).toBe(0);
    expect(room.tenantIds).toStrictEqual(['large', 'small']);
  });

  it('is not reserved unless configured', () => {
    room = new RunSlots({ concurrency: CONCURRENCY }, () => {});
    enter('large', 2);
    expect(room.reserved).toBe(0);
  });

  it('goes to tenants without a run until the reserved run ends, whatever else ends', () => {
    enter('large', CONCURRENCY);
    enter('small');
    leave(0);
    leave(0);
    expect(free()).toBe(0);
    expect(room.reserved).toBe(CONCURRENCY + RESERVED - runs.length);
    leave(runs.length - 1);
    expect(free()).toBe(2);
  });

  it('goes to all tenants again when the reserved run takes longer than 100 ms', () => {
    enter('large', CONCURRENCY);
    enter('small');
    leave(0);
    leave(0);
    jest.advanceTimersByTime(99);
    expect(free()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(free()).toBe(1);
  });

  it('is not free while too many finished runs are being completed', () => {
    expect(room.free(500)).toBe(0);
    expect(room.free(499)).toBe(1);
  });
});
