// Where the tails of tenants are merged into: PostgreSQL, or OpenSearch (tail-merges.service.ts).

/** Injection token of `Tails`. */
export const TAILS = Symbol('tails');

/** Where the tails of tenants are merged into. */
export interface Tails {
  /** Merges some of the tail if it has at least `threshold` passages. Returns true when there may be more to merge. */
  mergeTail(tenantId: string, threshold: number): Promise<boolean>;
  /** Tenants that need a step, whatever the length of their tail is. */
  tenantsBehind?(): Promise<readonly string[]>;
}
