// The SQL of this service on PostgreSQL in WebAssembly (PGlite) with pgvector, which the test servers lack.
import { PGlite, type Transaction as PgliteTransaction } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { Database, Statement, Transaction } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';
import { migrations } from '../migrations/index.js';
import { VectorHarness } from './vector-harness.js';

/** The part of Database that the service uses for vectors. */
class PgliteDatabase {
  constructor(private readonly pglite: PGlite | PgliteTransaction) {}

  async query<Row>({ text }: Statement, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.pglite.query<Record<string, unknown>>(text, values);
    for (const row of rows) {
      for (const [name, value] of Object.entries(row)) if (value instanceof Uint8Array) row[name] = Buffer.from(value);
    }
    return rows as Row[];
  }

  dedicatedClient() {
    const query = async (text: string, values?: unknown[]) =>
      values ? this.pglite.query(text, values) : (await this.pglite.exec(text)).at(-1);
    return Promise.resolve({ query, end: () => Promise.resolve() });
  }

  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const pglite = this.pglite as PGlite;
    return pglite.transaction((transaction) => work(new PgliteDatabase(transaction) as unknown as Transaction));
  }
}

/** With pgvector, for an index that needs it. */
export class PgVectorHarness extends VectorHarness {
  private constructor(readonly pglite: PGlite) {
    super(new PgliteDatabase(pglite) as unknown as Database);
  }

  static async start(): Promise<PgVectorHarness> {
    const pglite = await PGlite.create({ extensions: { vector } });
    await pglite.exec('create extension vector');
    for (const Migration of migrations) {
      await new Migration().up({ query: (text: string) => pglite.exec(text) } as unknown as QueryRunner);
    }
    return new PgVectorHarness(pglite);
  }

  stop(): Promise<void> {
    return this.pglite.close();
  }
}
