// A bucket whose pages are made in memory in the order of keys, so that a bench measures the sync and not a store.
import { utf8Order } from '@kiln/storage';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { BucketObject, BucketPage, ExternalBucket } from '@kiln/connections/external-buckets/external-bucket.port';

const PER_FOLDER = 100;
const FOLDERS_PER_FOLDER = 100;
const LAST_MODIFIED = new Date('2026-01-01T00:00:00Z');
const PAGE_SIZE = 1_000;

const padded = (number: number, digits: number) => String(number).padStart(digits, '0');

/** The folders of an object, outermost first. */
export function foldersAt(index: number): [outer: string, inner: string] {
  const folder = Math.floor(index / PER_FOLDER);
  const outer = `customers-${padded(Math.floor(folder / FOLDERS_PER_FOLDER), 5)}/`;
  return [outer, `${outer}2026-${padded(folder % FOLDERS_PER_FOLDER, 2)}/`];
}

export function objectAt(index: number): BucketObject {
  const etag = padded(index, 32);
  const key = `${foldersAt(index)[1]}invoice-${padded(index, 9)}.pdf`;
  return { key, sizeBytes: 1_000 + (index % 1_000), etag, lastModified: LAST_MODIFIED, contentType: null };
}

export const pagesOf = (objects: number): number => Math.ceil(objects / PAGE_SIZE);

/** The objects of a page, from 0. */
export const objectsOfPage = (page: number, objects: number): number[] =>
  Array.from({ length: Math.min(PAGE_SIZE, objects - page * PAGE_SIZE) }, (_, at) => page * PAGE_SIZE + at);

/** The number of objects up to a key. */
function objectsUpTo(key: string, objects: number): number {
  let [from, to] = [0, objects];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (utf8Order(objectAt(middle).key, key) <= 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The folders of a folder after a key. */
function foldersIn(prefix: string, startAfter: string, objects: number): string[] {
  const depth = prefix.split('/').length - 1;
  const found: string[] = [];
  for (let index = objectsUpTo(startAfter, objects); index < objects; index += PER_FOLDER) {
    const folder = foldersAt(index)[depth];
    if (folder?.startsWith(prefix) && folder > startAfter && folder !== found.at(-1)) found.push(folder);
  }
  return found;
}

/**
 * Its cursors are the numbers of objects before a page. `onPage` is called for each. A page comes in a later iteration of the event loop, as from every
 * store: the statement that a sync sends at the same time leaves the process before the page is read.
 */
export function generatedBucket(objects: number, onPage: () => void): Pick<ExternalBucket, 'keyOrders' | 'list'> {
  return {
    keyOrders: [utf8Order],
    list: async ({ prefix, delimiter, cursor, startAfter = '', limit }): Promise<BucketPage> => {
      if (delimiter !== undefined) return { objects: [], prefixes: foldersIn(prefix, startAfter, objects), next: null };
      onPage();
      await yieldToEventLoop();
      const start = cursor === undefined ? objectsUpTo(startAfter, objects) : Number(cursor);
      const end = Math.min(start + limit, objects);
      const listed = Array.from({ length: end - start }, (_, at) => objectAt(start + at));
      return { objects: listed, prefixes: [], next: end < objects ? String(end) : null };
    },
  };
}
