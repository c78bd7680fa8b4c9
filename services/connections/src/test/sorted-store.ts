// An S3 store of given keys, which answers lists in the order of the keys, and can hold its answers back.
import { utf8Order } from '@kiln/storage';
import { s3Page, type Answer } from './scripted-store.js';

export interface SortedStore {
  answer: Answer;
  keys: string[];
  /** The keys on a page. */
  pageSize: number;
  /** Whether the answer to a request waits until `release`, by the first key of its page. */
  holds: (key: string) => boolean;
  /** Pages that were requested and wait for their answer. Requests for folders, and for one or two keys, do not wait. */
  readonly waiting: number;
  /** The key after which each requested page begins. */
  readonly listed: string[];
  release(): void;
}

export function sortedStore(given: readonly string[], { ignoresStartAfter = false } = {}): SortedStore {
  let held: (() => void)[] = [];
  const store: SortedStore = {
    keys: [...given],
    pageSize: 5,
    holds: () => false,
    listed: [],
    get waiting() {
      return held.length;
    },
    release: () => {
      const released = held;
      held = [];
      released.forEach((answer) => answer());
    },
    answer: (response, { url = '' }) => {
      const { searchParams } = new URL(url, 'http://store');
      const of = (name: string) => searchParams.get(name) ?? '';
      const after = of('continuation-token') || (ignoresStartAfter ? '' : of('start-after'));
      const keys = store.keys
        .filter((key) => key.startsWith(of('prefix')) && utf8Order(key, after) > 0)
        .toSorted(utf8Order);
      response.setHeader('content-type', 'application/xml');
      const delimiter = of('delimiter');
      if (delimiter !== '') return void response.end(foldersPage(keys, of('prefix')));
      const page = keys.slice(0, Math.min(store.pageSize, Number(of('max-keys'))));
      const last = page.at(-1);
      const next = page.length < keys.length && last !== undefined ? { next: last } : {};
      const send = () => void response.end(s3Page({ objects: page.map((key) => ({ key })), ...next }));
      if (Number(of('max-keys')) <= 2) return send();
      store.listed.push(after);
      if (store.holds(page[0] ?? '')) held.push(send);
      else send();
    },
  };
  return store;
}

function foldersPage(keys: readonly string[], prefix: string): string {
  const folders = keys
    .map((key) => /^[^/]*\//.exec(key.slice(prefix.length))?.[0])
    .filter((folder) => folder !== undefined);
  const found = [...new Set(folders)].map(
    (folder) => `<CommonPrefixes><Prefix>${prefix}${folder}</Prefix></CommonPrefixes>`,
  );
  return s3Page({})
    .replace('<KeyCount>0<', `<KeyCount>${found.length}<`)
    .replace('</ListBucketResult>', `${found.join('')}</ListBucketResult>`);
}
