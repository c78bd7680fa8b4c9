// The stream of events over HTTP.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { readFileSync } from 'node:fs';
import { startEndpoint, type Endpoint } from './support/endpoints.js';
import { bodyOf, type CreatedFile, type KilnClient } from './support/kiln-client.js';
import { OpenStream } from './support/open-stream.js';
import { newSpace, storeFile } from './support/stored-files.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const [CREATED, READY, COMPLETED] = ['file.created', 'variant.ready', 'file.processing.completed'];

describe('the stream of events', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  let endpoint: Endpoint;
  const streams: OpenStream[] = [];
  beforeAll(async () => {
    system = await systemUnderTest();
    client = await system.newClient();
    endpoint = await startEndpoint();
  });
  afterEach(() => streams.splice(0).forEach((stream) => stream.close()));
  afterAll(async () => {
    await system.stop();
    await endpoint.close();
  });

  async function open(options: Parameters<typeof OpenStream.open>[1] = {}): Promise<OpenStream> {
    const stream = await OpenStream.open(client, options);
    streams.push(stream);
    return stream;
  }

  const statusOf = async (...options: Parameters<typeof open>) => (await open(...options)).response.status;
  const keyFor = async (body: object) =>
    `ApiKey ${bodyOf(await client.post<{ key: string }>('/v1/org/api-keys', { name: 'streams', ...body }), 201).key}`;

  it('sends each event of an upload as a webhook receives it, with the progress of the job', async () => {
    const url = endpoint.url;
    const webhooks = [1, 2].map(() => client.post<{ id: string }>('/v1/webhooks', { url, events: ['*'] }));
    const created = await Promise.all(webhooks);
    const space = newSpace();
    const stream = await open({ query: `?space=${space}` });
    const { body: file } = await client.upload('a.md', '# Clay\n\nFired at 1,200 degrees.', { space });
    const storedEvents = () => stream.events.filter(({ id }) => id !== null);
    await eventually(() => expect(storedEvents()).toHaveLength(3));
    const stored = storedEvents();
    // The files service and the jobs service publish on their own, so that only the order of the events of one is fixed.
    const types = stored.map(({ type }) => type);
    expect(types.toSorted()).toStrictEqual([CREATED, COMPLETED, READY]);
    expect(types.indexOf(CREATED)).toBeLessThan(types.indexOf(READY));
    for (const { data } of stored) expect(data).toMatchObject({ file_id: file.id, job_id: file.job_id });
    const progress = stream.events.filter(({ type }) => type === 'job.progress');
    expect(progress.length).toBeGreaterThan(0);
    for (const { data } of progress) expect(data).toMatchObject({ file_id: file.id, job_id: file.job_id });
    await eventually(() => expect(endpoint.received).toHaveLength(2 * stored.length));
    const sent = stored.flatMap(({ text }) => [text, text]).toSorted();
    expect(endpoint.received.map(({ body }) => body).toSorted()).toStrictEqual(sent);
    expect(new Set(endpoint.received.map(({ headers }) => headers['webhook-id']))).toStrictEqual(
      new Set(stored.map(({ id }) => id)),
    );
    for (const answer of created) await client.request('DELETE', `/v1/webhooks/${answer.body.id}`);
  });

  it('sends only what its filters choose', async () => {
    const [space, other] = [newSpace(), newSpace()];
    const witness = await open({ query: `?space=${other}` });
    const file = await storeFile(client, 'a.txt', { space: other });
    await eventually(() => expect(witness.types).toStrictEqual([CREATED]));
    const ofSpace = await open({ query: `?space=${space}&types=file.created,file.deleted` });
    const ofFile = await open({ query: `?file_id=${file.id}&types=file.deleted` });
    const { body: mine } = await client.upload('b.md', '# Clay', { space });
    const ofJob = await open({ query: `?job_id=${mine.job_id}&types=${COMPLETED}` });
    await client.request('DELETE', `/v1/files/${file.id}`);
    await client.waitForJob(mine.job_id);
    await client.request('DELETE', `/v1/files/${mine.id}`);
    await eventually(() => expect(ofSpace.types).toStrictEqual([CREATED, 'file.deleted']));
    await eventually(() => expect(ofFile.types).toStrictEqual(['file.deleted']));
    expect(ofJob.types.length).toBeLessThanOrEqual(1);
    expect([await statusOf({ query: '?types=file.made' }), await statusOf({ query: '?space=' })]).toStrictEqual([
      400, 400,
    ]);
  });

  it('resumes after a lost connection with every event once', async () => {
    const space = newSpace();
    const query = `?types=${CREATED}&space=${space}`;
    const witness = await open({ query });
    const received: (string | null)[] = [];
    let stream = await open({ query });
    const files = 60;
    const uploads = Promise.all(Array.from({ length: files }, (_, at) => storeFile(client, `${at}.txt`, { space })));
    while (received.length < files) {
      const wanted = Math.min(7, files - received.length);
      await eventually(() => stream.events.length >= wanted);
      stream.close();
      received.push(...stream.ids);
      stream = await open({ query, lastEventId: received.at(-1) });
    }
    await uploads;
    await eventually(() => expect(witness.ids).toHaveLength(files));
    expect(received).toStrictEqual(witness.ids);
  });

  it('is followed by the snippet of the documentation', async () => {
    const document = readFileSync(new URL('../../docs/event-streams.md', import.meta.url), 'utf8');
    const code = /```js\n([^]*?)```/.exec(document)?.[1] ?? '';
    type Follow = (url: string, authorization: string, onEvent: (event: { type: string }) => void) => Promise<void>;
    const { follow } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { follow: Follow };
    const types: string[] = [];
    const enough = new Error('enough');
    const following = follow(`${client.baseUrl}/v1/events/stream`, `ApiKey ${client.apiKey}`, ({ type }) => {
      types.push(type);
      if (type === COMPLETED) throw enough;
    });
    const ended = following.catch((error: unknown) => error);
    // It is connected when an event arrives.
    await eventually(async () => {
      await storeFile(client, 'a.txt');
      return types.length > 0;
    });
    await client.upload('a.md', '# Clay', {});
    expect(await ended).toBe(enough);
    await expect(follow(`${client.baseUrl}/v1/events/stream`, 'ApiKey x', () => undefined)).rejects.toThrow(
      /UNAUTHORIZED/,
    );
  });

  it('is 410 after an event that is unknown or older than a day, and 400 after what is no id', async () => {
    // The second is of 2023.
    for (const lastEventId of ['evt_7zzzzzzzzzzzzzzzzzzzzzzzzz', 'evt_01h455vb4pex5vsknk084sn02q']) {
      const { response } = await open({ lastEventId });
      expect([response.status, await response.json()]).toMatchObject([410, { code: 'EVENTS_EXPIRED' }]);
    }
    expect(await statusOf({ lastEventId: 'file_01h455vb4pex5vsknk084sn02q' })).toBe(400);
  });

  it('is open ten times for each key at most', async () => {
    const authorization = await keyFor({});
    const ten = await Promise.all(Array.from({ length: 10 }, () => open({ authorization })));
    expect(new Set(ten.map(({ response }) => response.status))).toStrictEqual(new Set([200]));
    const { response } = await open({ authorization });
    expect([response.status, await response.json()]).toMatchObject([429, { code: 'RATE_LIMITED' }]);
    expect(await statusOf({ authorization: await keyFor({}) })).toBe(200);
    ten[0]?.close();
    await eventually(async () => expect(await statusOf({ authorization })).toBe(200));
  });

  it('shows a portal token its space, another tenant nothing, and refuses keys without the scope', async () => {
    const [space, other] = [newSpace(), newSpace()];
    const { token } = bodyOf(await client.post<{ token: string }>('/v1/portal/tokens', { space }), 201);
    const portal = await open({ authorization: `PortalToken ${token}` });
    const test = await open({ authorization: await keyFor({ mode: 'test' }) });
    const all = await open();
    await storeFile(client, 'theirs.txt', { space: other });
    const mine = await storeFile(client, 'mine.txt', { space });
    await eventually(() => expect(portal.types).toStrictEqual([CREATED]));
    const seen = () => all.events.map(({ data }) => data['space']);
    await eventually(() => expect(seen()).toStrictEqual(expect.arrayContaining([space, other])));
    expect(portal.events[0]?.data).toMatchObject({ file_id: mine.id, space });
    expect(test.events).toStrictEqual([]);
    expect(await statusOf({ authorization: await keyFor({ scopes: ['files:read'] }) })).toBe(403);
    expect(await statusOf({ authorization: 'PortalToken x' })).toBe(401);
  });

  it('is cut off when its reader falls far behind, and resumes without a gap', async () => {
    const space = newSpace();
    const query = `?types=${CREATED},file.deleted&space=${space}`;
    const quick = await open({ query });
    // Events of 20 kB: the kernels of both ends take some megabytes before the gateway has to hold any, and how many is theirs to decide.
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`note-${at}`, 'x'.repeat(1_000)]));
    let expected = 0;
    const makeEvents = async (rounds: number) => {
      for (let round = 0; round < rounds; round++) {
        const files = Array.from({ length: 50 }, (_, at) => ({ filename: `${at}.txt`, space, metadata }));
        const batch = await client.post<{ files: CreatedFile[] }>('/v1/upload/batch', { files });
        const ids = bodyOf(batch, 201).files.map(({ id }) => id);
        await client.request('DELETE', '/v1/files', { json: { file_ids: ids } });
        expected += 2 * ids.length;
        await eventually(() => expect(quick.events).toHaveLength(expected));
      }
    };
    for (let rounds = 10; ; rounds *= 2) {
      const before = quick.events.length;
      const slow = await open({ query, isPaused: true });
      await makeEvents(rounds);
      slow.resume();
      await eventually(() => slow.state !== 'open' || slow.events.length === expected - before);
      if (slow.state === 'open') continue;
      expect(slow.state).toBe('cut');
      const missed = quick.events.length - before - slow.events.length;
      const resumed = await open({ query, lastEventId: slow.ids.at(-1) });
      await eventually(() => expect(resumed.events).toHaveLength(missed));
      expect([...slow.ids, ...resumed.ids]).toStrictEqual(quick.ids.slice(before));
      return;
    }
  });
});
