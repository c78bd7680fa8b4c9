// Real: HTTP on loopback. Faked: the broker, the places, the credentials.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError, encodeId, unavailable, type JobProgress } from '@kiln/contracts';
import { createLogger } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import type { KeyCaller } from '../auth/caller.domain.js';
import { EventReader } from '../test/event-reader.js';
import { MemoryFeed } from '../test/memory-feed.js';
import { EventStreams } from './event-streams.service.js';

const logger = createLogger({ service: 'gateway', role: 'api', level: 'silent' });
const tenantId = uuidv7();
const names = (count: number) => Array.from({ length: count }, (_, at) => String(at));

const caller = { tenantId, organizationId: encodeId('organization', uuidv7()), authType: 'api_key' } as KeyCaller;

describe('the streams of a process', () => {
  let feed: MemoryFeed;
  let streams: EventStreams;
  let server: Server;
  /** The number of taken places. Streams of an earlier test may still give theirs back. */
  let places: { taken: number };
  let renewals: number;
  let checkCredentials: () => Promise<void>;
  let sendProgress: (tenantId: string, progress: JobProgress) => void;
  let failures: unknown[];
  const readers: EventReader[] = [];

  beforeEach(async () => {
    feed = new MemoryFeed();
    [renewals, failures] = [0, []];
    const ofTest = { taken: 0 };
    places = ofTest;
    checkCredentials = () => Promise.resolve();
    const take = async () => {
      ofTest.taken++;
      return { renew: async () => void renewals++, release: () => void ofTest.taken-- };
    };
    const listen = (onProgress: typeof sendProgress) => {
      sendProgress = onProgress;
      return () => undefined;
    };
    streams = new EventStreams({ feed, progress: { listen }, places: { take }, logger, heartbeatMs: 20 });
    server = createServer((request, response) => {
      const lastEventId = request.headers['last-event-id'] as string | undefined;
      const deadlineAt = Date.now() + 60_000;
      const check = () => checkCredentials();
      const started = streams.start({ caller, query: {}, lastEventId, deadlineAt, checkCredentials: check });
      started
        .then((run) => run(response))
        .catch((error: unknown) => {
          failures.push(error);
          response.destroy();
        });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    readers.splice(0).forEach((reader) => reader.close());
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function open(lastEventId?: string): Promise<EventReader> {
    const { port } = server.address() as AddressInfo;
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const reader = await EventReader.open(`http://127.0.0.1:${port}/`, headers as Record<string, string>);
    readers.push(reader);
    return reader;
  }

  it('share one subscription, which ends with the last of them', async () => {
    const all = await Promise.all(names(5).map(() => open()));
    expect([feed.follows, places.taken]).toStrictEqual([1, 5]);
    all.forEach((reader) => reader.close());
    await eventually(() => !feed.followed && places.taken === 0);
    await open();
    expect(feed.follows).toBe(2);
  });

  it('join the live events without a gap or a repetition, whatever happens while they read the stored ones', async () => {
    for (const lag of [0, 1, 7, 300]) {
      const ids = [feed.add(tenantId, 'last')];
      feed.lag = 0;
      ids.push(...names(600).map((name) => feed.add(tenantId, name)));
      let reads = 0;
      feed.beforeRead = () => {
        feed.lag = lag;
        if (reads++ > 20) return;
        ids.push(feed.add(tenantId, 'while it reads'));
        feed.add(uuidv7(), 'of another tenant');
      };
      const reader = await open(ids[0]);
      await eventually(() => reads >= 5 && reader.events.length >= ids.length - 1);
      ids.push(feed.add(tenantId, 'live'));
      await eventually(() => expect(reader.ids).toHaveLength(ids.length - 1));
      expect(reader.ids).toStrictEqual(ids.slice(1));
      reader.close();
    }
  });

  it('find an event that a replica of the broker does not know yet', async () => {
    const id = feed.add(tenantId, 'young');
    feed.lag = 1;
    let reads = 0;
    feed.beforeRead = () => {
      if (++reads === 2) feed.lag = 0;
    };
    await open(id);
    expect(failures).toStrictEqual([]);
  });

  it('end when the broker may have lost an event, and the next ones follow anew', async () => {
    const reader = await open();
    const id = feed.add(tenantId, 'first');
    await eventually(() => expect(reader.ids).toStrictEqual([id]));
    feed.interrupt();
    await eventually(() => reader.ended && places.taken === 0);
    const missed = feed.add(tenantId, 'missed');
    const resumed = await open(id);
    await eventually(() => expect(resumed.ids).toStrictEqual([missed]));
    expect(feed.follows).toBe(2);
  });

  it('end while they read the stored events, when the broker may have lost one', async () => {
    const [first] = names(1_000).map((name) => feed.add(tenantId, name));
    let reads = 0;
    feed.beforeRead = () => {
      // The first page finds the event.
      if (++reads === 3) feed.interrupt();
    };
    const reader = await open(first);
    await eventually(() => reader.ended && places.taken === 0);
    expect(reader.events.length).toBeLessThan(999);
  });

  it('send comments and renew their places while nothing happens', async () => {
    const reader = await open();
    await eventually(() => renewals >= 3);
    expect([reader.ended, reader.events]).toStrictEqual([false, []]);
  });

  it('end when the credentials are no longer valid, and go on while they cannot be checked', async () => {
    const reader = await open();
    checkCredentials = () => Promise.reject(unavailable('The database'));
    const before = renewals;
    await eventually(() => renewals > before + 2);
    expect(reader.ended).toBe(false);
    checkCredentials = () => Promise.reject(new CodedError('UNAUTHORIZED', 'The key is not valid.'));
    await eventually(() => reader.ended && places.taken === 0);
  });

  it('end when the process stops, which accepts no new ones', async () => {
    const reader = await open();
    streams.stop();
    await eventually(() => reader.ended && places.taken === 0);
    await expect(open()).rejects.toThrow();
    expect(failures).toMatchObject([{ code: 'UNAVAILABLE' }]);
    expect(places.taken).toBe(0);
  });

  it('give back their place when they cannot begin', async () => {
    await expect(open(encodeId('event', uuidv7()))).rejects.toThrow();
    expect(failures).toMatchObject([{ code: 'EVENTS_EXPIRED' }]);
    feed.follow = () => Promise.reject(unavailable('The event stream'));
    await expect(open()).rejects.toThrow();
    expect(failures).toMatchObject([{}, { code: 'UNAVAILABLE' }]);
    expect(places.taken).toBe(0);
  });

  it('send the progress of jobs of their tenant only', async () => {
    const reader = await open();
    const ids = { job_id: encodeId('job', uuidv7()), file_id: encodeId('file', uuidv7()) };
    for (const owner of [uuidv7(), tenantId])
      sendProgress(owner, { ...ids, space: owner, step: 'embed', progress: 0.5 });
    await eventually(() => expect(reader.events.map(({ payload }) => payload.data['space'])).toStrictEqual([tenantId]));
  });
});
