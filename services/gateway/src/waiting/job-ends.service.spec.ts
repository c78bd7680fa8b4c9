// FAKES: the events, which the test publishes, and the state of a job.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { notFound, unavailable, type CloudEvent, type EventDefinition } from '@kiln/contracts';
import { JobEnds } from './job-ends.service.js';

const never = new AbortController().signal;
const endOf = (tenantid: string, jobId: string) => ({ tenantid, data: { job_id: jobId } }) as unknown as CloudEvent;

describe('a request that waits for the end of a job', () => {
  let ends: JobEnds;
  let publish: ((event: CloudEvent) => void) | null;
  let heard: string[];
  let listening: () => Promise<void>;
  let status: string;
  let reads: number;
  beforeEach(() => {
    jest.useFakeTimers();
    [publish, status, reads, heard, listening] = [null, 'queued', 0, [], () => Promise.resolve()];
    const listen = async (definitions: readonly EventDefinition[], onEvent: (event: CloudEvent) => void) => {
      await listening();
      [publish, heard] = [onEvent, definitions.map(({ type }) => type)];
      return () => void (publish = null);
    };
    ends = new JobEnds({ listen }, () => performance.now());
  });
  afterEach(() => void jest.useRealTimers());

  const ask = (waitSeconds: number, more: { tenantId?: string; jobId?: string | null; left?: AbortSignal } = {}) =>
    ends.stateOf({
      tenantId: 'a',
      jobId: 'job_1',
      read: () => {
        reads++;
        return Promise.resolve(status);
      },
      isEnded: (state: string) => state === 'completed',
      waitSeconds,
      paceMs: 0,
      left: never,
      ...more,
    });
  const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

  it('is answered at once without `wait`, and when the job has ended before', async () => {
    expect(await ask(0)).toBe('queued');
    status = 'completed';
    expect(await ask(60)).toBe('completed');
    expect([reads, heard]).toStrictEqual([2, []]);
  });

  it('is answered when the job ends, and not read again for the ends of others', async () => {
    const answer = ask(60);
    await pass(10);
    expect(heard).toStrictEqual(['file.processing.completed', 'file.processing.failed', 'job.failed', 'job.cancelled']);
    const before = reads;
    publish?.(endOf('a', 'job_2'));
    publish?.(endOf('b', 'job_1'));
    await pass(10);
    expect(reads).toBe(before);
    status = 'completed';
    publish?.(endOf('a', 'job_1'));
    await pass(1);
    expect(await answer).toBe('completed');
    // No request waits, so no event is heard.
    expect(publish).toBeNull();
  });

  it('misses no end between its first read and the moment in which it hears events', async () => {
    let heardAll = () => undefined as void;
    listening = () => new Promise<void>((resolve) => (heardAll = resolve));
    const answer = ask(60);
    await pass(10);
    status = 'completed';
    heardAll();
    await pass(1);
    expect(await answer).toBe('completed');
  });

  it('finds the end without its event, and without a broker, within seconds', async () => {
    listening = () => new Promise(() => undefined);
    const answer = ask(60);
    await pass(1_500);
    status = 'completed';
    await pass(2_000);
    expect(await answer).toBe('completed');
  });

  it('waits through an outage of the service, and is answered with the fault if the outage lasts', async () => {
    const failing = () => Promise.reject(unavailable('The jobs service'));
    const read = jest.fn<() => Promise<string>>().mockResolvedValueOnce('queued').mockImplementation(failing);
    const awaited = {
      tenantId: 'a',
      jobId: 'job_1',
      isEnded: (state: string) => state === 'completed',
      paceMs: 0,
      left: never,
    };
    const short = ends.stateOf({ ...awaited, read, waitSeconds: 5 });
    const outcome = short.catch((error: unknown) => error);
    await pass(5_100);
    expect(await outcome).toMatchObject({ code: 'UNAVAILABLE' });
    read.mockResolvedValueOnce('queued').mockImplementationOnce(failing).mockResolvedValue('completed');
    const long = ends.stateOf({ ...awaited, read, waitSeconds: 60 });
    await pass(2_100);
    expect(await long).toBe('completed');
  });

  it('is answered with the state after the time, and when the process stops', async () => {
    const [short, long] = [ask(5), ask(60)];
    await pass(5_100);
    expect(await short).toBe('queued');
    status = 'processing';
    ends.stop();
    await pass(1);
    expect(await long).toBe('processing');
    expect(await ask(60)).toBe('processing');
  });

  it('ends when its caller leaves, or the job is deleted', async () => {
    const leave = new AbortController();
    const left = ask(60, { left: leave.signal });
    const outcome = left.then(
      () => 'answered',
      (error: unknown) => String(error),
    );
    await pass(10);
    leave.abort(new Error('left'));
    expect(await outcome).toBe('Error: left');
    const read = jest.fn<() => Promise<string>>().mockResolvedValueOnce('queued').mockRejectedValue(notFound());
    const gone = ends.stateOf({
      tenantId: 'a',
      jobId: null,
      read,
      isEnded: () => false,
      waitSeconds: 60,
      paceMs: 0,
      left: never,
    });
    await expect(gone).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(publish).toBeNull();
  });

  it('does not wait when too many requests of its tenant do, and those of another tenant wait', async () => {
    const waiting = Array.from({ length: 200 }, () => ask(60));
    await pass(10);
    expect(await ask(60)).toBe('queued');
    const other = ask(60, { tenantId: 'b' });
    await pass(10);
    status = 'completed';
    publish?.(endOf('a', 'job_1'));
    publish?.(endOf('b', 'job_1'));
    await pass(1);
    expect(new Set(await Promise.all([...waiting, other]))).toStrictEqual(new Set(['completed']));
  });

  it('for a batch reads the state more and more rarely, however many jobs end, and misses no end', async () => {
    const answer = ends.stateOf({
      tenantId: 'a',
      jobId: null,
      read: () => Promise.resolve((reads++, status)),
      isEnded: (state) => state === 'completed',
      waitSeconds: 60,
      paceMs: 250,
      left: never,
    });
    await pass(10);
    for (let job = 0; job < 3_000; job++) {
      publish?.(endOf('a', `job_${job}`));
      await pass(10);
    }
    expect(reads).toBeLessThanOrEqual(20);
    status = 'completed';
    publish?.(endOf('a', 'job_last'));
    await pass(2_000);
    expect(await answer).toBe('completed');
  });
});
