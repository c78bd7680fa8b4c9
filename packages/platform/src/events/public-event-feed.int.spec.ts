// Real: Postgres, NATS with JetStream. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, filesEvents, jobsEvents, unknownLabels } from '@kiln/contracts';
import { eventually, startOwnNats } from '@kiln/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { v7 as uuidv7 } from 'uuid';
import { publicEventStream } from '../bus/names.js';
import { startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import { newEvent } from './new-event.js';
import { appendEvents } from './outbox.js';
import { PublicEventFeed, type Follower, type StoredEvent } from './public-event-feed.js';
import { OutboxRelay } from './relay.js';
import { ensureStreams } from './streams.js';

const [fileId, jobId] = [encodeId('file', uuidv7()), encodeId('job', uuidv7())];

function created(tenantId: string, filename: string) {
  const data = { file_id: fileId, job_id: jobId, space: 'default', content_type: null, size_bytes: null };
  const definition = filesEvents.fileCreated;
  const named = { ...data, ...unknownLabels, filename, status: 'uploaded' as const };
  return newEvent({ definition, tenantId, subject: fileId, data: named });
}

const cancelled = (tenantId: string) =>
  newEvent({
    definition: jobsEvents.jobCancelled,
    tenantId,
    subject: jobId,
    data: { job_id: jobId, file_id: fileId, fence: 1 },
  });

const nameOf = ({ text }: StoredEvent) => (JSON.parse(text) as { data: { filename: string } }).data.filename;

describe('the feed of public events', () => {
  let platform: TestPlatform;
  let feed: PublicEventFeed;
  let relay: OutboxRelay;
  beforeAll(async () => {
    platform = await startTestPlatform();
    feed = new PublicEventFeed(platform.connection, platform.namespace);
    relay = new OutboxRelay(platform);
  });
  afterAll(() => platform.stop());

  async function happen(...events: ReturnType<typeof newEvent>[]): Promise<void> {
    await appendEvents(platform.database, events);
    await relay.publishNext();
  }

  const names = (count: number) => Array.from({ length: count }, (_, at) => String(at));

  it('passes on what happens from now on, of all tenants in one order, without internal events', async () => {
    const [a, b] = [uuidv7(), uuidv7()];
    await happen(created(a, 'before'));
    const heard: StoredEvent[] = [];
    const following = await feed.follow({ onEvent: (event) => heard.push(event), onEnd: () => undefined });
    await happen(created(a, 'first'), cancelled(a), created(b, 'second'), created(a, 'third'));
    await eventually(() => expect(heard.map(nameOf)).toStrictEqual(['first', 'second', 'third']));
    expect(heard.map(({ tenantId }) => tenantId)).toStrictEqual([a, b, a]);
    expect(heard.map(({ sequence }) => sequence)).toStrictEqual([1, 2, 3].map((at) => following.sequence + at));
    following.stop();
  });

  it('is read in pages and one by one, by tenant, from a place or a time', async () => {
    const [a, b] = [uuidv7(), uuidv7()];
    const start = { time: new Date(Date.now() - 1_000) };
    expect(await feed.page(a, start, 10)).toStrictEqual([]);
    await happen(...names(25).flatMap((name) => [created(a, name), created(b, name)]));
    const first = await feed.page(a, start, 10);
    const sequence = (first.at(-1)?.sequence ?? 0) + 1;
    const second = await feed.page(a, { sequence }, 10);
    const third = await feed.page(a, { sequence: (second.at(-1)?.sequence ?? 0) + 1 }, 10);
    expect([...first, ...second, ...third].map(nameOf)).toStrictEqual(names(25));
    expect(await feed.next(a, sequence)).toStrictEqual(second[0]);
    expect(await feed.next(a, (third.at(-1)?.sequence ?? 0) + 1)).toBeNull();
  });

  it('leaves no consumer behind, and a follower learns that the broker has lost the stream', async () => {
    const manager = await jetstreamManager(platform.connection);
    const name = publicEventStream(platform.namespace);
    const consumers = async () => (await manager.streams.info(name)).state.consumer_count;
    await eventually(async () => expect(await consumers()).toBe(0));
    let ends = 0;
    const follower: Follower = { onEvent: () => undefined, onEnd: () => void ends++ };
    const stopped = await feed.follow(follower);
    stopped.stop();
    await eventually(async () => expect(await consumers()).toBe(0));
    expect(ends).toBe(0);
    await feed.follow(follower);
    await manager.streams.delete(name);
    await eventually(() => expect(ends).toBe(1));
    await expect(feed.follow(follower)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(feed.next(uuidv7(), 1)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

it('a follower learns that the broker was away, and can follow again, also when the storage is lost', async () => {
  const nats = await startOwnNats();
  const platform = await startTestPlatform(nats.url);
  const feed = new PublicEventFeed(platform.connection, platform.namespace);
  const relay = new OutboxRelay(platform);
  const tenantId = uuidv7();
  let ends = 0;
  const heard: StoredEvent[] = [];
  const follower = { onEvent: (event: StoredEvent) => void heard.push(event), onEnd: () => void ends++ };
  await feed.follow(follower);
  await nats.loseStorage();
  await eventually(() => expect(ends).toBe(1));
  await eventually(() => ensureStreams(platform));
  const following = await feed.follow(follower);
  await appendEvents(platform.database, [created(tenantId, 'after')]);
  await relay.publishNext();
  await eventually(() => expect(heard.map(nameOf)).toStrictEqual(['after']));
  following.stop();
  await platform.stop();
  await nats.stop();
  expect(ends).toBe(1);
});
