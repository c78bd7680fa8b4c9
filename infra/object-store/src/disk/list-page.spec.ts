import { expect, test } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crowdedKey, hostileKey } from '../test-support/keys.js';
import type { BucketObjects } from './bucket-objects.js';
import { Buckets } from './buckets.js';
import { listPage, type ListPage } from './list-page.js';
import { stageObject } from './object-file.js';

fc.configureGlobal({ seed: testSeed() });

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

async function withBucket(run: (buckets: Buckets, bucket: BucketObjects) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'kiln-list-'));
  try {
    const buckets = new Buckets({ directory, durable: false });
    await buckets.prepare();
    await buckets.create('bucket');
    await run(buckets, await buckets.get('bucket'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function* body(): AsyncGenerator<Buffer> {
  yield Buffer.from('x');
}

async function put(buckets: Buckets, bucket: BucketObjects, key: string): Promise<void> {
  const options = { folder: buckets.stagingFolder, key, headers: {}, durable: false, nowMs: 0 };
  await bucket.publish(await stageObject(body(), options));
}

interface Question {
  prefix: string;
  delimiter: string;
  itemsMax: number;
}

/** The expected listing, computed from the sorted list of all keys. */
function modelItems(keys: Iterable<string>, { prefix, delimiter }: Question): string[] {
  const items = new Set<string>();
  for (const key of [...keys].sort(byBytes)) {
    if (!key.startsWith(prefix)) continue;
    const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    items.add(at < 0 ? key : key.slice(0, at + delimiter.length));
  }
  return [...items];
}

async function allItems(buckets: Buckets, bucket: BucketObjects, question: Question): Promise<string[]> {
  const items: string[] = [];
  let after = '';
  for (;;) {
    const page: ListPage = await listPage(buckets.index, bucket, { ...question, after });
    const onPage = [...page.objects.map(({ key }) => key), ...page.prefixes].sort(byBytes);
    expect(onPage.length).toBeLessThanOrEqual(question.itemsMax);
    items.push(...onPage);
    if (page.next === undefined) return items;
    expect(onPage).toHaveLength(question.itemsMax);
    after = page.next;
  }
}

const question = fc.record({
  prefix: fc.oneof(fc.constant(''), crowdedKey),
  delimiter: fc.constantFrom('', '/', '!', 'b/', 'é'),
  itemsMax: fc.integer({ min: 1, max: 5 }),
});

test('pages of any size, prefix and delimiter together equal the sorted list, while keys are added and deleted', async () => {
  const changes = fc.array(fc.record({ key: crowdedKey, removes: fc.boolean() }), { maxLength: 25 });
  const rounds = fc.array(fc.tuple(changes, question), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(rounds, (steps) =>
      withBucket(async (buckets, bucket) => {
        const model = new Set<string>();
        for (const [changed, asked] of steps) {
          for (const { key, removes } of changed) {
            if (removes) await bucket.delete(key);
            else await put(buckets, bucket, key);
            if (removes) model.delete(key);
            else model.add(key);
          }
          expect(await allItems(buckets, bucket, asked)).toStrictEqual(modelItems(model, asked));
        }
      }),
    ),
    { numRuns: 60 },
  );
});

test('unusual keys are listed in UTF-8 byte order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(hostileKey, { maxLength: 20 }), (keys) =>
      withBucket(async (buckets, bucket) => {
        for (const key of keys) await put(buckets, bucket, key);
        const asked = { prefix: '', delimiter: '', itemsMax: 7 };
        expect(await allItems(buckets, bucket, asked)).toStrictEqual([...keys].sort(byBytes));
      }),
    ),
    { numRuns: 30 },
  );
});

test('concurrent writes and deletes in the same folders leave disk and index in agreement', async () => {
  await withBucket(async (buckets, bucket) => {
    const keys = Array.from({ length: 12 }, (_, at) => `a/${at % 3}/b/${at}`);
    await listPage(buckets.index, bucket, { prefix: '', delimiter: '', after: '', itemsMax: 10 });
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(
        keys.map((key, at) => ((at + round) % 2 === 0 ? put(buckets, bucket, key) : bucket.delete(key))),
      );
      const expected = keys.filter((_, at) => (at + round) % 2 === 0).sort(byBytes);
      const asked = { prefix: '', delimiter: '', itemsMax: 1000 };
      expect(await allItems(buckets, bucket, asked)).toStrictEqual(expected);
    }
    await Promise.all(keys.map((key) => bucket.delete(key)));
    await buckets.delete('bucket'); // fails if any folder were left
  });
});

test('folders grouped by the delimiter are not read, however full, and an empty folder left by a crash is no prefix', async () => {
  await withBucket(async (buckets, bucket) => {
    for (const key of ['big/1', 'big/2', 'deep/a/b/1', 'top', 'big2/1']) await put(buckets, bucket, key);
    await mkdir(join(bucket.root, 'left.d/over.d'), { recursive: true });
    const read: string[] = [];
    const { index } = buckets;
    const watched = new Proxy(index, {
      get: (target, name) =>
        name === 'entries' ? (path: string) => (read.push(path), index.entries(path)) : Reflect.get(target, name),
    });
    const items: string[] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      const page: ListPage = await listPage(watched, bucket, { prefix: '', delimiter: '/', after, itemsMax: 2 });
      items.push(...page.prefixes, ...page.objects.map(({ key }) => key));
      after = page.next;
    }
    expect(items).toStrictEqual(['big/', 'big2/', 'deep/', 'top']);
    expect([...new Set(read)]).toStrictEqual([bucket.root]);
  });
});
