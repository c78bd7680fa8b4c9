// Random histories of a bucket: changes before and during syncs, and interruptions of their workers.
import fc from 'fast-check';
import { hostileKeys } from '../hostile-keys.js';
import { interruptionKinds, type Interruption } from './interruption.js';
import type { Change } from './mirrored-bucket.js';

export interface PlannedSync {
  before: Change[];
  /** Happens after a page was listed, before it is stored. `reconnects`: the credentials are replaced, so that the listing begins again. */
  during: { page: number; changes: Change[]; reconnects: boolean }[];
  interruptions: Interruption[];
  pageSize: number;
  pagesPerClaim: number;
  /** Requests at a time. */
  requests: number;
}

export interface History {
  /** The keys in the bucket before the first sync. */
  keys: string[];
  prefix: string;
  onDelete: 'delete' | 'keep';
  onChange: 'reprocess' | 'ignore';
  autoProcess: boolean;
  syncs: PlannedSync[];
}

/** Keys with the same name as a folder, above and below each other, often chosen, so that changes meet. */
const related = ['a', 'a/', 'a/a', 'a//', 'a//b', 'a/b', 'a/b/', 'ab', 'b/a/c', 'b/a/d/e', 'b/a', 'ü/a', '😀/', '😀/a'];
const hostile = fc.constantFrom(...hostileKeys);
const key = fc.oneof({ arbitrary: fc.constantFrom(...related), weight: 3 }, { arbitrary: hostile, weight: 1 });
const at = fc.double({ min: 0, max: 1, noNaN: true });
const text = fc.constantFrom('', 'one', 'two', 'three', 'four', 'five');

const change: fc.Arbitrary<Change> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('put' as const), key, text }), weight: 4 },
  { arbitrary: fc.record({ kind: fc.constant('delete' as const), at }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('rename' as const), at, to: key }), weight: 2 },
);

const plannedSync: fc.Arbitrary<PlannedSync> = fc.record({
  before: fc.array(change, { maxLength: 12, size: 'max' }),
  during: fc.array(
    fc.record({
      page: fc.nat({ max: 5 }),
      changes: fc.array(change, { maxLength: 3 }),
      reconnects: fc.integer({ min: 0, max: 3 }).map((dice) => dice === 3),
    }),
    { maxLength: 3 },
  ),
  interruptions: fc.array(fc.record({ kind: fc.constantFrom(...interruptionKinds), step: fc.nat({ max: 12 }) }), {
    maxLength: 4,
    size: 'max',
  }),
  pageSize: fc.integer({ min: 1, max: 6 }),
  pagesPerClaim: fc.constantFrom(1, 2, 100),
  requests: fc.constantFrom(1, 3),
});

export const histories = ({ syncsMax }: { syncsMax: number }): fc.Arbitrary<History> =>
  fc.record({
    keys: fc
      .tuple(fc.subarray(related), fc.array(hostile, { maxLength: 8, size: 'max' }))
      .map((chosen) => chosen.flat()),
    prefix: fc.oneof(
      { arbitrary: fc.constant(''), weight: 3 },
      { arbitrary: fc.constantFrom('a', 'a/', 'b/a', '😀/'), weight: 1 },
    ),
    onDelete: fc.constantFrom('delete' as const, 'keep' as const),
    onChange: fc.constantFrom('reprocess' as const, 'ignore' as const),
    autoProcess: fc.boolean(),
    syncs: fc.array(plannedSync, { minLength: 2, maxLength: syncsMax, size: 'max' }),
  });
