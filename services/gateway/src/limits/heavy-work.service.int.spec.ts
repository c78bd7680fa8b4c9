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

/** Holds calls until it opens. */
class Gate {
  isOpen = false;
  readonly waiting: (() => void)[] = [];

  async pass(): Promise<void> {
    if (!this.isOpen) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Opens after the steps. Waits for the end of the requests also if a step fails, so that they do not disturb a repetition. */
  async openedAfter(requests: Promise<unknown>[], steps: () => Promise<unknown>): Promise<void> {
    try {
      await steps();
    } finally {
      this.isOpen = true;
      for (const resolve of this.waiting) resolve();
      await Promise.allSettled(requests);
    }
  }
}

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

  /** On a busy machine the calls that the steps hold may reach their deadlines. Then the steps are repeated. */
  const repeated = (steps: () => Promise<void>) =>
    eventually(async () => {
      served.fakes.reset();
      await steps();
    });
  /** Later the calls that are held have reached their deadlines. */
  const soon = (condition: () => boolean) => eventually(condition, { timeoutMs: 20_000 });

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
    await repeated(async () => {
      const held = await Promise.all([...callers, ...callers].map(dripping));
      const { status } = await served.first.post('/v1/search', { query: WORDS_250 }, ofThird);
      for (const each of held) each.destroy();
      expect(status).toBe(200);
    });
  });

  it('of questions makes room for the next one with the first part of an answer', async () => {
    await repeated(async () => {
      const gate = new Gate();
      served.fakes.overrideStream(searchOperations.answer, async function* answering() {
        yield { content: 'In ' };
        await gate.pass();
        return NO_SOURCES;
      });
      const flood = Array.from({ length: 3 }, () => served.first.post('/v1/qa', { question: WORDS_250 }));
      await gate.openedAfter(flood, () => soon(() => gate.waiting.length === 3));
      expect((await Promise.all(flood)).map(({ status }) => status)).toStrictEqual([200, 200, 200]);
    });
  });

  it('of searches reaches the search service one by one, while others and its own short searches are answered', async () => {
    const search = searchOperations.search;
    const ask = async (query: string, headers = {}) =>
      (await served.first.post('/v1/search', { query }, headers)).status;
    await repeated(async () => {
      const gate = new Gate();
      served.fakes.override(search, async () => {
        await gate.pass();
        return { results: [], total: 0, query: 'x', mode: 'text' };
      });
      const flood = Array.from({ length: 5 }, () => ask(WORDS_250));
      await gate.openedAfter(flood, async () => {
        await soon(() => gate.waiting.length === 1);
        gate.isOpen = true;
        for (const headers of [{}, stranger]) expect(await ask('short', headers)).toBe(200);
        gate.isOpen = false;
        flood.push(ask(WORDS_250, stranger));
        await soon(() => gate.waiting.length === 2);
        expect(served.fakes.callsOf(search).filter(({ input }) => input.query === WORDS_250)).toHaveLength(2);
      });
      expect(await Promise.all(flood)).toStrictEqual([200, 200, 200, 200, 200, 200]);
    });
  });

  it.each([
    { lists: 'that search for many words', listed: `search=${'w+'.repeat(127)}`, most: 1 },
    { lists: 'by a filter', listed: 'filter={"content_type":{"eq":"text/plain"}}', most: 3 },
    { lists: 'by metadata', listed: 'metadata.customer=42', most: 3 },
  ])(
    'of lists $lists reaches the files service $most at a time, while others and its own short lists are answered',
    async ({ listed, most }) => {
      const { listFiles } = filesOperations;
      const list = async (asked: string, headers = {}) =>
        (await served.first.fetch(`/v1/files?${asked}`, { headers })).status;
      await repeated(async () => {
        const gate = new Gate();
        served.fakes.override(listFiles, async () => {
          await gate.pass();
          return { files: [], next_cursor: null };
        });
        const flood = Array.from({ length: 6 }, () => list(listed));
        await gate.openedAfter(flood, async () => {
          await soon(() => gate.waiting.length === most);
          gate.isOpen = true;
          for (const headers of [{}, stranger]) expect(await list('search=short', headers)).toBe(200);
          expect(await list(listed, stranger)).toBe(200);
          expect(served.fakes.callsOf(listFiles)).toHaveLength(most + 3);
        });
        expect(await Promise.all(flood)).toStrictEqual([200, 200, 200, 200, 200, 200]);
      });
    },
  );

  it('of long queries in bodies that blanks make longer weighs no less', async () => {
    const body = JSON.stringify({ query: WORDS_250 }) + ' '.repeat(16 * 1_024);
    const headers = { 'content-type': 'application/json' };
    await repeated(async () => {
      const gate = new Gate();
      served.fakes.override(searchOperations.search, async () => {
        await gate.pass();
        return { results: [], total: 0, query: 'x', mode: 'text' };
      });
      const send = () => served.first.fetch('/v1/search', { method: 'POST', body, headers });
      const flood = Array.from({ length: 3 }, send);
      await gate.openedAfter(flood, async () => {
        for (let answered = 0; answered < 3; answered++) {
          await soon(() => gate.waiting.length === 1);
          gate.waiting.pop()?.();
          expect((await Promise.race(flood)).status).toBe(200);
        }
      });
      await Promise.all(flood);
      expect(served.fakes.callsOf(searchOperations.search)).toHaveLength(3);
    });
  });

  it('of batches is registered one batch after the other, and all of them in the end', async () => {
    const create = filesOperations.createUploads;
    await repeated(async () => {
      const flood = Array.from({ length: 4 }, () => served.first.post('/v1/upload/batch', BATCH));
      const statuses = (await Promise.all(flood)).map(({ status }) => status);
      expect(statuses).toStrictEqual([201, 201, 201, 201]);
      const batches = served.fakes.callsOf(create).map(({ input }) => input.batch_id);
      const inOrder = batches.filter((batch, index) => batch !== batches[index - 1]);
      expect([inOrder.length, new Set(batches).size]).toStrictEqual([4, 4]);
      expect(batches.length).toBeGreaterThan(4);
    });
  });
});
