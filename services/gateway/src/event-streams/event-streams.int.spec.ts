/** @slow */
// Real: two gateway processes, Postgres, NATS with JetStream, Redis. FAKED: the services that emit the events.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, streamedEventSchema } from '@kiln/contracts';
import { CheckedResponses } from '@kiln/openapi-check';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { EventReader, ResumingReader } from '../test/event-reader.js';
import { GatewayPair } from '../test/gateway-pair.js';
import { GatewayProcess } from '../test/gateway-process.js';
import { PublicEvents } from '../test/public-events.js';

const PATH = '/v1/events/stream';
const names = (count: number, prefix = '') => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

describe('the stream of events', () => {
  let pair: GatewayPair;
  let events: PublicEvents;
  const readers: EventReader[] = [];
  beforeAll(async () => {
    pair = await GatewayPair.start({ KILN_CORS_ORIGINS: 'https://app.example.com' });
    const { infrastructure, namespace } = pair.surroundings;
    events = await PublicEvents.connect(infrastructure.natsUrl, namespace);
  });
  afterEach(() => readers.splice(0).forEach((reader) => reader.close()));
  afterAll(async () => {
    await events.close();
    await pair.stop();
  });

  /** A new organization with a key, and its live tenant. */
  async function newCaller() {
    const { id: organizationId } = await pair.organizations.create('A', 'free');
    const { value } = await pair.newKey({ organizationId });
    const tenants = await pair.organizations.findTenants(organizationId);
    return { organizationId, authorization: `ApiKey ${value}`, tenantId: tenants?.live ?? '' };
  }

  interface Wishes {
    query?: string;
    lastEventId?: string | null | undefined;
    gateway?: GatewayProcess;
  }

  async function open(authorization: string, { query = '', lastEventId, gateway = pair.first }: Wishes = {}) {
    const headers = { authorization, ...(typeof lastEventId === 'string' && { 'last-event-id': lastEventId }) };
    const reader = await EventReader.open(`${gateway.url}${PATH}${query}`, headers);
    readers.push(reader);
    return reader;
  }

  const statusOf = async (...given: Parameters<typeof open>) => (await open(...given)).response.statusCode;

  async function newToken(authorization: string, space: string): Promise<string> {
    const answer = await pair.first.post('/v1/portal/tokens', { space }, { authorization });
    return `PortalToken ${((await answer.json()) as { token: string }).token}`;
  }

  it('sends what happens from now on, in order, as webhooks would send it, to readers on all gateways', async () => {
    const { organizationId, authorization, tenantId } = await newCaller();
    const earlier = await Promise.all(pair.gateways.map((gateway) => open(authorization, { gateway })));
    events.created(tenantId, 'before');
    await eventually(() => earlier.every((reader) => reader.events.length === 1));
    for (const reader of earlier) reader.close();
    const both = await Promise.all(pair.gateways.map((gateway) => open(authorization, { gateway })));
    const ids = names(50).map((name) => events.created(tenantId, name));
    for (const { response, ...reader } of both) {
      await eventually(() => expect(reader.events).toHaveLength(50));
      expect(reader.events.map(({ id }) => id)).toStrictEqual(ids);
      const [first] = reader.events;
      expect(streamedEventSchema.parse(first?.payload)).toStrictEqual(first?.payload);
      expect(first).toMatchObject({ type: 'file.created', payload: { id: ids[0], org_id: organizationId } });
      const { 'content-type': type, 'cache-control': caching, 'x-accel-buffering': buffering } = response.headers;
      expect([type, caching, buffering]).toStrictEqual(['text/event-stream; charset=utf-8', 'no-store', 'no']);
    }
  });

  it('sends only the events that the query chooses, and the progress of jobs', async () => {
    const { authorization, tenantId } = await newCaller();
    const [fileId, jobId] = [encodeId('file', uuidv7()), encodeId('job', uuidv7())];
    const queries = [
      '',
      '?types=file.created',
      '?types=job.progress,job.failed',
      '?space=a',
      `?file_id=${fileId}`,
      `?job_id=${jobId}`,
    ];
    const all = await Promise.all(queries.map((query) => open(authorization, { query })));
    events.created(tenantId, 'one', { space: 'a' });
    events.created(tenantId, 'two', { space: 'b', fileId });
    const error = { code: 'internal', message: 'It failed.', retryable: false };
    events.publish(tenantId, 'job.failed', { job_id: jobId, file_id: fileId, attempts: 1, error });
    await eventually(() => expect(all[0]?.events).toHaveLength(3));
    events.progress.send(tenantId, { job_id: jobId, file_id: fileId, space: 'a', step: 'embed', progress: 0.5 });
    await eventually(() => expect(all[0]?.events).toHaveLength(4));
    const created = 'file.created';
    await eventually(() =>
      expect(all.map((reader) => reader.events.map(({ type }) => type))).toStrictEqual([
        [created, created, 'job.failed', 'job.progress'],
        [created, created],
        ['job.failed', 'job.progress'],
        [created, 'job.progress'],
        [created, 'job.failed', 'job.progress'],
        ['job.failed', 'job.progress'],
      ]),
    );
    const progress = all[0]?.events.at(-1);
    expect(progress?.id).toBeNull();
    expect(streamedEventSchema.parse(progress?.payload)).toStrictEqual(progress?.payload);
  });

  it('resumes after the last event that arrived, on another gateway, without a gap or a repetition', async () => {
    const { authorization, tenantId } = await newCaller();
    const other = await newCaller();
    const total = 1_000;
    const received: (string | null)[] = [];
    let sent = 0;
    const ids: string[] = [];
    const sendSome = () => {
      for (let at = 0; at < 20 && sent < total; at++) {
        ids.push(events.created(tenantId, `${sent++}`));
        events.created(other.tenantId, 'of another tenant');
      }
    };
    let reader = await open(authorization);
    // Each connection ends with events on their way, and the next begins while others happen.
    for (let round = 0; received.length < total; round++) {
      sendSome();
      const wanted = Math.min(sent - received.length, 1 + ((round * 37) % 90));
      // On a busy machine the gateway may give up a stream.
      const isEnough = () => reader.events.length >= wanted || reader.isOver;
      await eventually(() => isEnough() || Promise.reject(new Error(`${reader.events.length}`)));
      reader.close();
      received.push(...reader.ids);
      sendSome();
      const gateway = pair.gateways[round % 2] ?? pair.first;
      reader = await open(authorization, { lastEventId: received.at(-1), gateway });
      sendSome();
    }
    expect(received).toStrictEqual(ids);
  });

  it('resumes with the events since then that pass the filter', async () => {
    const { authorization, tenantId } = await newCaller();
    const start = await open(authorization);
    const lastEventId = events.created(tenantId, 'first', { space: 'a' });
    await eventually(() => expect(start.events).toHaveLength(1));
    for (const name of names(600)) events.created(tenantId, name, { space: Number(name) % 2 === 0 ? 'a' : 'b' });
    const reader = await ResumingReader.open((last) =>
      open(authorization, { lastEventId: last ?? lastEventId, query: '?space=b' }),
    );
    await eventually(async () => expect(await reader.read()).toHaveLength(300));
    events.created(tenantId, 'live', { space: 'b' });
    await eventually(async () => expect((await reader.read()).length).toBeGreaterThan(300));
    const filenames = (await reader.read()).map(({ payload }) => payload.data['filename']);
    expect(filenames).toStrictEqual([...names(600).filter((name) => Number(name) % 2 === 1), 'live']);
  });

  it('is 410 after an event that is unknown, of another tenant, or older than 24 hours', async () => {
    const [mine, stranger] = [await newCaller(), await newCaller()];
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
    const old = events.created(mine.tenantId, 'old', { time: hours(24.1) });
    const young = events.created(mine.tenantId, 'young', { time: hours(23.9) });
    const foreign = events.created(stranger.tenantId, 'foreign');
    const latest = events.created(mine.tenantId, 'latest');
    // Then the earlier ones are stored as well.
    await eventually(async () => expect(await statusOf(mine.authorization, { lastEventId: latest })).toBe(200));
    const unknown = [encodeId('event', uuidv7()), 'evt_7zzzzzzzzzzzzzzzzzzzzzzzzz'];
    for (const lastEventId of [old, foreign, ...unknown]) {
      const answer = await pair.first.fetch(PATH, {
        headers: { authorization: mine.authorization, 'last-event-id': lastEventId },
      });
      expect([answer.status, await answer.json()]).toStrictEqual([
        410,
        expect.objectContaining({ code: 'EVENTS_EXPIRED' }),
      ]);
    }
    expect(await statusOf(mine.authorization, { lastEventId: young })).toBe(200);
  });

  it('is 400 for a filter or an id of another form, and 403 without the scope', async () => {
    const { authorization, organizationId } = await newCaller();
    const responses = await CheckedResponses.of(pair.first.url);
    for (const query of [
      '?types=file.made',
      '?types=',
      '?types=webhook.test',
      '?space=',
      '?file_id=job_1',
      '?job_id=x',
    ]) {
      const answer = await pair.first.fetch(PATH + query, { headers: { authorization } });
      expect([query, answer.status]).toStrictEqual([query, 400]);
      await responses.check('GET', PATH, answer);
    }
    expect(await statusOf(authorization, { lastEventId: 'x' })).toBe(400);
    const { value } = await pair.newKey({ organizationId, scopes: ['files:read', 'jobs:read'] });
    expect(await statusOf(`ApiKey ${value}`)).toBe(403);
    const head = await pair.first.fetch(PATH, { method: 'HEAD', headers: { authorization } });
    expect([head.status, head.headers.get('content-type')]).toStrictEqual([200, 'text/event-stream; charset=utf-8']);
  });

  it('may be read by pages of the allowed origins, with the header to resume', async () => {
    const headers = { origin: 'https://app.example.com', 'access-control-request-method': 'GET' };
    const { headers: allowed } = await pair.first.fetch(PATH, { method: 'OPTIONS', headers });
    expect(allowed.get('access-control-allow-headers')).toMatch(/Last-Event-ID/);
  });

  it('shows the holder of a portal token its space, and nothing of another', async () => {
    const { authorization, tenantId } = await newCaller();
    const token = await newToken(authorization, 'mine');
    const reader = await open(token);
    const elsewhere = await open(token, { query: '?space=other' });
    const foreign = events.created(tenantId, 'foreign', { space: 'other' });
    events.publish(tenantId, 'connection.synced', {
      connection_id: encodeId('connection', uuidv7()),
      sync_id: encodeId('sync', uuidv7()),
      files_added: 1,
      files_updated: 0,
      files_deleted: 0,
    });
    const own = events.created(tenantId, 'first', { space: 'mine' });
    await eventually(() => expect(reader.events).toHaveLength(1));
    const ids = { job_id: encodeId('job', uuidv7()), file_id: encodeId('file', uuidv7()) };
    for (const space of ['other', 'mine'])
      events.progress.send(tenantId, { ...ids, space, step: 'embed', progress: 0.5 });
    await eventually(() => expect(reader.events).toHaveLength(2));
    expect(reader.events.map(({ payload }) => payload.data['space'])).toStrictEqual(['mine', 'mine']);
    expect(elsewhere.events).toStrictEqual([]);
    expect(await statusOf(token, { lastEventId: own })).toBe(200);
    expect(await statusOf(token, { lastEventId: foreign })).toBe(410);
  });

  it('shows nothing to another organization, nor to the other mode of the same one', async () => {
    const [mine, stranger] = [await newCaller(), await newCaller()];
    const { value } = await pair.newKey({ organizationId: mine.organizationId, mode: 'test' });
    const others = [await open(stranger.authorization), await open(`ApiKey ${value}`)];
    const reader = await open(mine.authorization);
    events.created(mine.tenantId, 'secret');
    await eventually(() => expect(reader.events).toHaveLength(1));
    events.created(stranger.tenantId, 'theirs');
    await eventually(() => expect(others[0]?.filenames).toStrictEqual(['theirs']));
    expect(others[1]?.events).toStrictEqual([]);
  });

  it('is cut off when its reader falls far behind, and resumes without a gap', async () => {
    const { authorization, tenantId } = await newCaller();
    const slow = await open(authorization);
    // On a busy machine a reader that does not stop may fall behind as well. The log of another gateway says so.
    const gateway = pair.second;
    const quick = await ResumingReader.open((lastEventId) => open(authorization, { lastEventId, gateway }));
    const first = events.created(tenantId, 'first');
    await eventually(() => expect(slow.ids).toStrictEqual([first]));
    slow.response.pause();
    let sent = 0;
    // The kernels of both ends take some megabytes before the gateway has to hold any.
    for (
      ;
      !pair.first.logs.some(({ msg }) => msg === 'A stream of events is cut: its reader is too slow');
      sent += 100
    ) {
      for (const name of names(100, 'x'.repeat(10_000))) events.created(tenantId, name);
      await eventually(async () => expect(await quick.read()).toHaveLength(1 + sent + 100));
    }
    slow.response.resume();
    await eventually(() => expect(slow.cut).toBe(true));
    const resumed = await ResumingReader.open((last) => open(authorization, { lastEventId: last ?? slow.ids.at(-1) }));
    const ids = (await quick.read()).map(({ id }) => id);
    await eventually(async () => expect([...slow.events, ...(await resumed.read())]).toHaveLength(ids.length));
    expect([...slow.ids, ...(await resumed.read()).map(({ id }) => id)]).toStrictEqual(ids);
  });
});
