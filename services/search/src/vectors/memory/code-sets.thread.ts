// The worker thread that holds vectors in memory and scans them, so that a scan does not block the process. It answers messages in their order.
import { parentPort } from 'node:worker_threads';
import type { VectorHits, VectorQuery } from '../vector-index.port.js';
import { CodeSet, type ChangedFile } from './code-set.domain.js';
import { DotProducts } from './dot-products.domain.js';

/** `set` identifies a tenant's vectors of one model. */
export type ThreadRequest =
  | { kind: 'apply'; set: string; dimensions: number; files: ChangedFile[] }
  | { kind: 'drop'; set: string }
  | { kind: 'search'; set: string; query: VectorQuery };

export type ThreadAnswer =
  /** `bytes` is the memory of the set. */
  | { kind: 'applied'; bytes: number }
  | { kind: 'dropped' }
  /** Null when the set was dropped. */
  | { kind: 'found'; found: VectorHits | null };

const sets = new Map<string, CodeSet>();
const products = new DotProducts();

function answer(request: ThreadRequest): ThreadAnswer {
  switch (request.kind) {
    case 'apply': {
      let set = sets.get(request.set);
      if (!set) sets.set(request.set, (set = new CodeSet(request.dimensions, products)));
      for (const file of request.files) set.apply(file);
      return { kind: 'applied', bytes: set.bytes };
    }
    case 'drop':
      sets.delete(request.set);
      return { kind: 'dropped' };
    case 'search':
      return { kind: 'found', found: sets.get(request.set)?.search(request.query) ?? null };
  }
}

parentPort?.on('message', ({ id, request }: { id: number; request: ThreadRequest }) => {
  try {
    parentPort?.postMessage({ id, answer: answer(request) });
  } catch (error) {
    parentPort?.postMessage({ id, error });
  }
});
