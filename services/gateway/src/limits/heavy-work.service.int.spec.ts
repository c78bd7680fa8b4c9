// Real: gateway processes, Postgres, NATS, Redis, object store. FAKES: the services (see test/fake-services.ts).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { filesOperations, NO_SOURCES, searchOperations } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { request, type ClientRequest } from 'node:http';
import { GatewayWithKeys } from '../test/gateway-with-keys.js';
import { TEST_KEY } from '../test/gateway-process.js';

const WORDS_250 = Array.from({ length: 250 }, (_, index) => `w${index}`).join(' ');
const MEMBERS = 50;
const text = 'x'.repeat(370);
const metadata = Object.fromEntries(Array.from({ length: MEMBERS }, (_, index) => [`k${index}`, text]));
/** The body has almost a mebibyte. */
const BATCH = { files: Array.from({ length: MEMBERS }, (_, index) => ({ filename: `${index}.txt`, metadata })) };

describe('a flood of heavy requests of one tenant', () => {
  let served: GatewayWithKeys;
  let stranger: Record<string, string>;
  beforeAll(async () => {
    served = await GatewayWithKeys.start();
    const { id: organizationId } = await served.organizations.create('Stranger', 'free');
    stranger = { authorization: `ApiKey ${(await served.newKey({ organizationId })).value}` };
  });
  beforeEach(() => served.fakes.reset());
  afterAll(() => served.stop());

  /** Announces a mebibyte of JSON, and sends little of it. */
  async function dripping(authorization: string): Promise<ClientRequest> {
    const headers = { authorization, 'content-type': 'application/json', 'content-length': String(1024 * 1024) };
    const sent = request(`${served.first.url}/v1/search`, { method: 'POST', headers });
    sent.on('error', () => undefined);
    await new Promise((resolve) => sent.write('{"query": "', resolve));
    return sent;
  }

  it('takes no place while its bodies are on their way', async () => {
    const third = await served.organizations.create('Third', 'free');
    const ofThird = { authorization: `ApiKey ${(await served.newKey({ organizationId: third.id })).value}` };
    const callers = [`ApiKey ${TEST_KEY}`, stranger.authorization ?? ''];
    const held = await Promise.all([...callers, ...callers].map(dripping));
    expect((await served.first.post('/v1/search', { query: WORDS_250 }, ofThird)).status).toBe(200);
    for (const each of held) each.destroy();
  });

  it('of questions makes room for the next one with the first part of an answer', async () => {
    const ends: (() => void)[] = [];
    served.fakes.overrideStream(searchOperations.answer, async function* answering() {
      yield { content: 'In ' };
      await new Promise<void>((resolve) => ends.push(resolve));
      return NO_SOURCES;
    });
    const flood = Array.from({ length: 3 }, () => served.first.post('/v1/qa', { question: WORDS_250 }));
    await eventually(() => ends.length === 3);
    for (const end of ends) end();
    expect((await Promise.all(flood)).map(({ status }) => status)).toStrictEqual([200, 200, 200]);
  });

  it('of searches reaches the search service one by one, while others and its own short searches are answered', async () => {
    const search = searchOperations.search;
    let isHeld = true;
    const held: (() => void)[] = [];
    served.fakes.override(search, async () => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
      return { results: [], total: 0, query: 'x', mode: 'text' };
    });
    const ask = async (query: string, headers = {}) =>
      (await served.first.post('/v1/search', { query }, headers)).status;
    const flood = Array.from({ length: 5 }, () => ask(WORDS_250));
    await eventually(() => held.length === 1);
    isHeld = false;
    for (const headers of [{}, stranger]) expect(await ask('short', headers)).toBe(200);
    isHeld = true;
    const heavyOfStranger = ask(WORDS_250, stranger);
    await eventually(() => held.length === 2);
    expect(served.fakes.callsOf(search).filter(({ input }) => input.query === WORDS_250)).toHaveLength(2);
    isHeld = false;
    for (const resolve of held) resolve();
    expect(await Promise.all([...flood, heavyOfStranger])).toStrictEqual([200, 200, 200, 200, 200, 200]);
  });

  it('of lists that search for many words reaches the files service by its share, while others and its own short lists are answered', async () => {
    const many = encodeURIComponent(Array.from({ length: 127 }, () => 'w').join(' '));
    let isHeld = true;
    const held: (() => void)[] = [];
    served.fakes.override(filesOperations.listFiles, async () => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
      return { files: [], next_cursor: null };
    });
    const list = async (query: string, headers = {}) =>
      (await served.first.fetch(`/v1/files${query}`, { headers })).status;
    const flood = Array.from({ length: 6 }, () => list(`?search=${many}`));
    await eventually(() => held.length === 1);
    isHeld = false;
    for (const headers of [{}, stranger]) expect(await list('?search=short', headers)).toBe(200);
    expect(await list(`?search=${many}`, stranger)).toBe(200);
    expect(held).toHaveLength(1);
    for (const resolve of held) resolve();
    expect(await Promise.all(flood)).toStrictEqual([200, 200, 200, 200, 200, 200]);
  });

  it('of long queries in bodies that blanks make longer weighs no less', async () => {
    const held: (() => void)[] = [];
    served.fakes.override(searchOperations.search, async () => {
      await new Promise<void>((resolve) => held.push(resolve));
      return { results: [], total: 0, query: 'x', mode: 'text' };
    });
    const body = JSON.stringify({ query: WORDS_250 }) + ' '.repeat(16 * 1_024);
    const headers = { 'content-type': 'application/json' };
    const flood = Array.from({ length: 3 }, () => served.first.fetch('/v1/search', { method: 'POST', body, headers }));
    for (let answered = 0; answered < 3; answered++) {
      await eventually(() => held.length === 1);
      held.pop()?.();
      expect((await Promise.race(flood)).status).toBe(200);
    }
    await Promise.all(flood);
    expect(served.fakes.callsOf(searchOperations.search)).toHaveLength(3);
  });

  it('of batches is registered one batch after the other, and all of them in the end', async () => {
    const create = filesOperations.createUploads;
    const flood = Array.from({ length: 4 }, () => served.first.post('/v1/upload/batch', BATCH));
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(statuses).toStrictEqual([201, 201, 201, 201]);
    const batches = served.fakes.callsOf(create).map(({ input }) => input.batch_id);
    const inOrder = batches.filter((batch, index) => batch !== batches[index - 1]);
    expect([inOrder.length, new Set(batches).size]).toStrictEqual([4, 4]);
    expect(batches.length).toBeGreaterThan(4);
  });
});
