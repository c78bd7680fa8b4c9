// Real: gateway processes, Postgres, NATS, Redis, object store. FAKES: the services (see test/fake-services.ts).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { filesOperations, searchOperations } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { GatewayPair } from '../test/gateway-pair.js';

const WORDS_250 = Array.from({ length: 250 }, (_, index) => `w${index}`).join(' ');
const MEMBERS = 50;
const text = 'x'.repeat(370);
const metadata = Object.fromEntries(Array.from({ length: MEMBERS }, (_, index) => [`k${index}`, text]));
/** Close to a mebibyte. */
const BATCH = { files: Array.from({ length: MEMBERS }, (_, index) => ({ filename: `${index}.txt`, metadata })) };

describe('a flood of heavy requests of one tenant', () => {
  let pair: GatewayPair;
  let stranger: Record<string, string>;
  beforeAll(async () => {
    pair = await GatewayPair.start();
    const { id: organizationId } = await pair.organizations.create('Stranger', 'free');
    stranger = { authorization: `ApiKey ${(await pair.newKey({ organizationId })).value}` };
  });
  beforeEach(() => pair.fakes.reset());
  afterAll(() => pair.stop());

  it('of searches reaches the search service one by one, while others and its own short searches are answered', async () => {
    const search = searchOperations.search;
    let isHeld = true;
    const held: (() => void)[] = [];
    pair.fakes.override(search, async () => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
      return { results: [], total: 0, query: 'x', mode: 'text' };
    });
    const ask = async (query: string, headers = {}) => (await pair.first.post('/v1/search', { query }, headers)).status;
    const flood = Array.from({ length: 5 }, () => ask(WORDS_250));
    await eventually(() => held.length === 1);
    isHeld = false;
    for (const headers of [{}, stranger]) expect(await ask('short', headers)).toBe(200);
    isHeld = true;
    const heavyOfStranger = ask(WORDS_250, stranger);
    await eventually(() => held.length === 2);
    expect(pair.fakes.callsOf(search).filter(({ input }) => input.query === WORDS_250)).toHaveLength(2);
    isHeld = false;
    for (const resolve of held) resolve();
    expect(await Promise.all([...flood, heavyOfStranger])).toStrictEqual([200, 200, 200, 200, 200, 200]);
  });

  it('of lists that search for many words reaches the files service by its share, while others and its own short lists are answered', async () => {
    const many = encodeURIComponent(Array.from({ length: 127 }, () => 'w').join(' '));
    let isHeld = true;
    const held: (() => void)[] = [];
    pair.fakes.override(filesOperations.listFiles, async () => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
      return { files: [], next_cursor: null };
    });
    const list = async (query: string, headers = {}) =>
      (await pair.first.fetch(`/v1/files${query}`, { headers })).status;
    const flood = Array.from({ length: 6 }, () => list(`?search=${many}`));
    await eventually(() => held.length === 3);
    isHeld = false;
    for (const headers of [{}, stranger]) expect(await list('?search=short', headers)).toBe(200);
    expect(await list(`?search=${many}`, stranger)).toBe(200);
    expect(held).toHaveLength(3);
    for (const resolve of held) resolve();
    expect(await Promise.all(flood)).toStrictEqual([200, 200, 200, 200, 200, 200]);
  });

  it('of batches is registered one batch after the other, and all of them in the end', async () => {
    const create = filesOperations.createUploads;
    const flood = Array.from({ length: 4 }, () => pair.first.post('/v1/upload/batch', BATCH));
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(statuses).toStrictEqual([201, 201, 201, 201]);
    const batches = pair.fakes.callsOf(create).map(({ input }) => input.batch_id);
    const inOrder = batches.filter((batch, index) => batch !== batches[index - 1]);
    expect([inOrder.length, new Set(batches).size]).toStrictEqual([4, 4]);
    expect(batches.length).toBeGreaterThan(4);
  });
});
