// Copies of vectors in a database that searches them faster than PostgreSQL alone. The copy of a set has one writer, which holds a lease.
import type { Queryable } from '@kiln/platform';
import type { Changes } from '../changes.domain.js';
import type { VectorSet } from '../vector-index.port.js';

export interface Copy {
  /** Differs from that of each former copy of the set. */
  readonly number: number;
  /** The copy has all changes up to this one. */
  readonly generation: number;
}

/** What the copies of all tenants lack. */
export interface Lag {
  /** How many sets have no copy, or one that lacks changes. */
  readonly copies: number;
  /** How many changes one of them lacks at most. */
  readonly changes: number;
  /** The tenants of some of these sets. */
  readonly tenantIds: readonly string[];
}

export type SetKey = Pick<VectorSet, 'tenantId' | 'model' | 'dimensions'>;

/** Another process has become the writer of the copy. */
export class CopyLostError extends Error {}

export interface VectorCopies<OneCopy extends Copy = Copy> {
  /** Longer vectors are not copied. */
  readonly dimensionsMax: number;

  /** Null when the set has no copy. */
  find(set: SetKey, database?: Queryable): Promise<OneCopy | null>;

  /** Makes `writer` the writer of the copy, and creates it if it is missing. Returns null while another process is the writer. */
  claim(set: SetKey, writer: string): Promise<OneCopy | null>;

  release(set: SetKey, writer: string): Promise<void>;

  /** Before changes are applied. These methods of the writer throw CopyLostError. */
  prepare(set: VectorSet, copy: OneCopy, writer: string): Promise<OneCopy>;

  /** When this returns, searches find the changes. A repeat does no harm. Returns the copy that further changes belong to. */
  apply(set: SetKey, copy: OneCopy, writer: string, changes: Changes): Promise<OneCopy>;

  /** When all changes are applied. */
  complete(set: SetKey, copy: OneCopy, writer: string): Promise<void>;

  /** Removes a copy without vectors. */
  remove(set: SetKey, copy: OneCopy, writer: string): Promise<void>;

  /** The tenant's sets that have no vectors left, but a copy. */
  emptyOf(tenantId: string): Promise<VectorSet[]>;

  lag(tenantsMax: number): Promise<Lag>;

  close(): Promise<void>;
}
