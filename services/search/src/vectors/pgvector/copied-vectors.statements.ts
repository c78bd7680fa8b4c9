// The SQL of copied vectors (https://github.com/pgvector/pgvector). Sets with few vectors share one table for each length of vectors, without an
// index: all vectors of a set are compared. A large set has a table and an HNSW graph of its own, so that a search in it reads no vectors of
// others. Table names contain numbers only, so they are safe in SQL.
import { statement, type Statement } from '@kiln/platform';

/** HNSW indexes take up to 2,000 numbers of 4 bytes, and up to 4,000 of 2 bytes. Above 1,000, half the size is worth more than precision. */
const HALF_FROM = 1_001;
export const DIMENSIONS_MAX = 4_000;

/** Where the vectors of a set are. */
export interface Place {
  readonly dimensions: number;
  /** The number of the set's own table. Null: the shared table. */
  readonly number: number | null;
}

const typeOf = (dimensions: number) => (dimensions >= HALF_FROM ? 'halfvec' : 'vector');
const sharedTable = (dimensions: number) => `shared_vectors_${dimensions}`;
const ownTable = (number: number) => `own_vectors_${number}`;
const tableOf = ({ dimensions, number }: Place) => (number === null ? sharedTable(dimensions) : ownTable(number));

const named = (name: string, table: string, text: string): Statement => statement(`search.${name}_${table}`, text);

const columnsIn = (dimensions: number) =>
  `tenant_id uuid not null, model text not null, file_id uuid not null, index int not null, job_number bigint not null,
   fence bigint not null, facets text[] not null, embedding ${typeOf(dimensions)}(${dimensions}) not null,
   primary key (tenant_id, model, file_id, index)`;

export function createShared(dimensions: number): Statement {
  const table = sharedTable(dimensions);
  return named('create', table, `create table if not exists ${table} (${columnsIn(dimensions)})`);
}

/** Moves a set from the shared table to its own. In order: $1 tenant, $2 model for the second and the third. */
export function moveToOwnTable(dimensions: number, number: number) {
  const [shared, own] = [sharedTable(dimensions), ownTable(number)];
  return {
    create: named('create', own, `create table ${own} (${columnsIn(dimensions)})`),
    copy: named('fill', own, `insert into ${own} select * from ${shared} where tenant_id = $1 and model = $2`),
    remove: named('delete_moved', shared, `delete from ${shared} where tenant_id = $1 and model = $2`),
    indexFacets: named('index_facets', own, `create index ${own}_facets on ${own} using gin (facets)`),
  };
}

export function createGraph(dimensions: number, number: number): Statement {
  const own = ownTable(number);
  const text = `create index ${own}_nearest on ${own} using hnsw (embedding ${typeOf(dimensions)}_cosine_ops)`;
  return named('create_graph', own, text);
}

export const dropOwnTable = (number: number): Statement =>
  named('drop', ownTable(number), `drop table ${ownTable(number)}`);

export function writesOf(place: Place) {
  const table = tableOf(place);
  const { dimensions } = place;
  return {
    /** $1 tenant, $2 model. */
    deleteAll: named('delete_all', table, `delete from ${table} where tenant_id = $1 and model = $2`),
    /** $1 tenant, $2 model, $3 files. */
    deleteFiles: named(
      'delete_files',
      table,
      `delete from ${table} where tenant_id = $1 and model = $2 and file_id = any($3::uuid[])`,
    ),
    /** $1 tenant, $2 model, $3 file, $4 job number, $5 fence, $6 facets, $7 index of the first chunk, $8 the vectors as text. */
    insertVectors: named(
      'insert',
      table,
      `insert into ${table} (tenant_id, model, file_id, index, job_number, fence, facets, embedding)
       select $1, $2, $3, $7::int4 + position::int4 - 1, $4, $5, $6::text[], embedding::${typeOf(dimensions)}(${dimensions})
         from unnest($8::text[]) with ordinality as v(embedding, position)`,
    ),
  };
}

/** The searches. $1 tenant, $2 model, $3 facets, $4 the vector as text, $5 limit, $6 files to leave out. Vectors of zeros have no cosine. */
export function searchesOf(place: Place) {
  const table = tableOf(place);
  const columns = 'file_id as "fileId", job_number as "jobNumber", fence, index';
  const distance = `embedding <=> $4::${typeOf(place.dimensions)}(${place.dimensions})`;
  const passing = `tenant_id = $1 and model = $2 and facets @> $3::text[] and file_id <> all($6::uuid[])`;
  return {
    /** Searches the graph. A filter that removes many rows makes it read further, up to a limit: it can return too few rows. */
    inGraph: named(
      'search_graph',
      table,
      `select ${columns}, 1 - (${distance}) as score from ${table} where ${passing} order by ${distance} limit $5`,
    ),
    /** Computes the distance of each row that passes the filter. */
    exactly: named(
      'search_exactly',
      table,
      `with mine as materialized (select file_id, job_number, fence, index, embedding from ${table} where ${passing})
       select ${columns}, coalesce(nullif(1 - (${distance}), 'NaN'), 0) as score from mine order by score desc limit $5`,
    ),
  };
}
