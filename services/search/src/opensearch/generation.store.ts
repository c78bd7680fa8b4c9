import { statement, type Queryable } from '@kiln/platform';
import { readIsEmpty } from './move-tail.statements.js';

const readRow = statement('search.read_opensearch_generation', 'select generation from opensearch_generations');

/** Whether the index may be created: otherwise it has files, and was lost. */
export async function mayCreateIndex(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ empty: boolean }>(readIsEmpty, []);
  return row?.empty ?? false;
}

/** The part of the name of the index that changes when the schema is created again. */
export async function readGeneration(database: Queryable): Promise<string> {
  const [row] = await database.query<{ generation: string }>(readRow, []);
  if (!row)
    throw new Error('The table opensearch_generations is empty. Insert a row with a new name of letters and digits.');
  return row.generation;
}
