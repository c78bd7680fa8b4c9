import { afterEach, describe, expect, it } from '@jest/globals';
import { Bulkhead, type Asker } from './bulkhead.js';

const PATIENCE_MS = 60_000;

/** Requests in the order in which they got a place. */
class Line {
  readonly entered: string[] = [];
  clock = 0;
  private readonly bulkhead: Bulkhead;
  private readonly leaving = new Map<string, (tokens?: number) => void>();
  private readonly stop = new AbortController();

  constructor(concurrency: number) {
    this.bulkhead = new Bulkhead({ concurrency, now: () => this.clock });
  }

  async ask(owner: string | null, name: string, tokens = 100): Promise<void> {
    const asker = owner === null ? null : { owner, tokens };
    void this.enter(asker, name);
    await nextTick();
  }

  private async enter(asker: Asker | null, name: string): Promise<void> {
    try {
      this.leaving.set(name, await this.bulkhead.enter(PATIENCE_MS, this.stop.signal, asker));
      this.entered.push(name);
    } catch {
      // The test is over.
    }
  }

  async end(name: string, tokens?: number): Promise<void> {
    this.leaving.get(name)?.(tokens);
    await nextTick();
  }

  close(): void {
    this.stop.abort(new Error('the test is over'));
  }
}

const nextTick = () => new Promise(setImmediate);

describe('the places of an engine', () => {
  let line: Line;
  afterEach(() => line.close());

  it('are never all held by one owner, so that others do not wait for it', async () => {
    line = new Line(4);
    for (const name of ['a1', 'a2', 'a3', 'a4']) await line.ask('a', name);
    expect(line.entered).toStrictEqual(['a1', 'a2']);
    await line.ask('b', 'b1');
    await line.ask('b', 'b2');
    await line.ask('c', 'c1');
    expect(line.entered).toStrictEqual(['a1', 'a2', 'b1', 'c1']);
    await line.end('b1');
    expect(line.entered.at(-1)).toBe('b2');
    // One place stays free for the next owner.
    await line.end('a1');
    expect(line.entered.at(-1)).toBe('b2');
    await line.ask('d', 'd1');
    expect(line.entered.at(-1)).toBe('d1');
    for (const name of ['b2', 'c1', 'd1']) await line.end(name);
    expect(line.entered.slice(6)).toStrictEqual(['a3']);
  });

  it('go to the waiting owner that has used the fewest tokens lately', async () => {
    line = new Line(1);
    await line.ask('long', 'long1', 1_000);
    await line.end('long1', 9_000);
    await line.ask('short', 'short1');
    await line.end('short1', 20);
    await line.ask('other', 'other1');
    for (const [owner, name] of [
      ['long', 'long2'],
      ['short', 'short2'],
      ['short', 'short3'],
      ['new', 'new1'],
    ] as const) {
      await line.ask(owner, name);
    }
    for (const name of ['other1', 'new1', 'short2', 'short3', 'long2']) await line.end(name, 50);
    expect(line.entered.slice(3)).toStrictEqual(['new1', 'short2', 'short3', 'long2']);
  });

  it('forget old tokens, and count as used what a request may use until its end says how much it was', async () => {
    line = new Line(1);
    await line.ask('early', 'early1', 10_000);
    await line.end('early1');
    line.clock += 20 * 60_000;
    await line.ask('late', 'late1', 500);
    await line.end('late1');
    await line.ask('other', 'other1');
    await line.ask('late', 'late2');
    await line.ask('early', 'early2');
    await line.end('other1');
    expect(line.entered.at(-1)).toBe('early2');
  });

  it('are passed on in the order of arrival without owners, all of them', async () => {
    line = new Line(2);
    for (const name of ['1', '2', '3', '4']) await line.ask(null, name);
    expect(line.entered).toStrictEqual(['1', '2']);
    await line.end('2');
    await line.end('1');
    expect(line.entered).toStrictEqual(['1', '2', '3', '4']);
  });
});
