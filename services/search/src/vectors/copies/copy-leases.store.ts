// The rows that record copies. Each change of a copy is one transaction that locks its row, which the writer loses with its lease.
import type { Database, Queryable } from '@kiln/platform';
import type { VectorSet } from '../vector-index.port.js';
import type { CopyRows } from './copy-rows.statements.js';
import { CopyLostError, type Copy, type Lag, type SetKey } from './vector-copies.port.js';

const LEASE_SECONDS = 60;

export const keyOf = ({ tenantId, model, dimensions }: SetKey) => [tenantId, model, dimensions];

export class CopyLeases<OneCopy extends Copy> {
  constructor(
    private readonly database: Pick<Database, 'query' | 'transaction'>,
    private readonly rows: CopyRows,
  ) {}

  async find(set: SetKey, database: Queryable = this.database): Promise<OneCopy | null> {
    const [copy] = await database.query<OneCopy>(this.rows.read, keyOf(set));
    return copy ?? null;
  }

  async claim(set: SetKey, writer: string): Promise<OneCopy | null> {
    const values = [...keyOf(set), writer, LEASE_SECONDS];
    const [copy] = await this.database.query<OneCopy>(this.rows.claim, values);
    return copy ?? null;
  }

  async release(set: SetKey, writer: string): Promise<void> {
    await this.database.query(this.rows.release, [...keyOf(set), writer]);
  }

  /** Locks the row of the copy for `work`. Throws CopyLostError. */
  asWriter<Result>(set: SetKey, writer: string, work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (transaction) => {
      await this.renew(transaction, set, writer);
      return work(transaction);
    });
  }

  /** Locks the row until the transaction ends. Throws CopyLostError. */
  async renew(transaction: Queryable, set: SetKey, writer: string): Promise<void> {
    const renewed = await transaction.query(this.rows.renew, [...keyOf(set), writer, LEASE_SECONDS]);
    if (renewed.length === 0) throw new CopyLostError();
  }

  async writeGeneration(transaction: Queryable, set: SetKey, generation: number): Promise<void> {
    await transaction.query(this.rows.writeGeneration, [...keyOf(set), generation]);
  }

  async remove(transaction: Queryable, set: SetKey): Promise<void> {
    await transaction.query(this.rows.remove, keyOf(set));
  }

  emptyOf(tenantId: string): Promise<VectorSet[]> {
    return this.database.query<VectorSet>(this.rows.readEmpty, [tenantId]);
  }

  async lag(tenantsMax: number, dimensionsMax: number, ...more: readonly unknown[]): Promise<Lag> {
    const [lag] = await this.database.query<Lag>(this.rows.readLag, [tenantsMax, dimensionsMax, ...more]);
    return lag as Lag;
  }
}
