// A Postgres server that has run for a while reuses its WAL segments. A new server creates each one and fills 16 MB with zeros,
// which delays commits by some 70 ms in any round.
import { createTestDatabase } from '@kiln/testing';
import pg from 'pg';

const LOG_BYTES = 512 * 2 ** 20;
const ROW_BYTES = 1_000;
const CALL_ROWS = 20_000;

/** Writes as much WAL as the rounds will, and lets the server keep its segments. */
export async function wearIn(): Promise<void> {
  const created = await createTestDatabase();
  const client = new pg.Client({ connectionString: created.url });
  await client.connect();
  await client.query('create table written (text text)');
  for (let bytes = 0; bytes < LOG_BYTES; bytes += CALL_ROWS * ROW_BYTES) {
    await client.query('insert into written select repeat($1, $2) from generate_series(1, $3)', [
      'x',
      ROW_BYTES,
      CALL_ROWS,
    ]);
  }
  await client.query('drop table written');
  await client.query('checkpoint');
  await client.end();
  await created.drop();
}
