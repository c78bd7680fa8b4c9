// Compares the entities of a service with its migrated schema.
import type { DataSource, EntityMetadata } from 'typeorm';
import type { IndexMetadata } from 'typeorm/metadata/IndexMetadata.js';
import type { UniqueMetadata } from 'typeorm/metadata/UniqueMetadata.js';

interface TableFacts {
  /** Name → type, as Postgres prints it, and nullability. */
  columns: Record<string, string>;
  primaryKey: string[];
  /** Name → definition of the index. */
  indexes: Record<string, string>;
}

/** TypeORM cannot express these indexes (`synchronize: false`), so only the name is compared. */
const BY_NAME = 'as the migration says';

/** The tables of the schema, without the tables of migrations and without partitions. */
const TABLES = `
  select c.oid, c.relname as name from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname not in ('migrations', 'migration_checksums')`;
const COLUMNS = `
  select attname as name, format_type(atttypid, atttypmod) || case when attnotnull then ' not null' else '' end as type
  from pg_attribute where attrelid = $1 and attnum > 0 and not attisdropped order by attname`;
const INDEXES = `
  select c.relname as name, i.indisprimary as primary, i.indisunique as unique, m.amname as method,
    pg_get_expr(i.indpred, i.indrelid, true) as predicate,
    array(select pg_get_indexdef(i.indexrelid, place, true) from generate_series(1, i.indnkeyatts) place) as keys
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam where i.indrelid = $1`;

interface IndexRow {
  name: string;
  primary: boolean;
  unique: boolean;
  method: string;
  predicate: string | null;
  keys: string[];
}

/**
 * Returns one line per difference: tables without entity and entities without table; columns with type and nullability; primary
 * keys; indexes by name, columns, kind and predicate (as `pg_get_expr` prints it); and other changes that TypeORM would make, such
 * as defaults and checks.
 */
export async function schemaDifferences(dataSource: DataSource): Promise<string[]> {
  const actual = await readSchema(dataSource);
  const expected = new Map(dataSource.entityMetadatas.map((entity) => [entity.tableName, factsOf(dataSource, entity)]));
  const names = new Set([...actual.keys(), ...expected.keys()]);
  const differences = [...names].flatMap((table) => compare(table, actual.get(table), expected.get(table)));
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return [...differences, ...upQueries.map(({ query }) => `TypeORM would run: ${query}`)];
}

function compare(table: string, actual: TableFacts | undefined, expected: TableFacts | undefined): string[] {
  if (!expected) return [`${table}: has no entity`];
  if (!actual) return [`${table}: is not in the schema`];
  const known = Object.entries(actual.indexes).map(([name, how]) => {
    return [name, expected.indexes[name] === BY_NAME ? BY_NAME : how] as const;
  });
  const comparable = { ...actual, indexes: Object.fromEntries(known) };
  return (['columns', 'primaryKey', 'indexes'] as const).flatMap((fact) => {
    const [is, said] = [JSON.stringify(comparable[fact]), JSON.stringify(expected[fact])];
    return is === said ? [] : [`${table}: ${fact} are ${is}, the entity says ${said}`];
  });
}

function factsOf({ driver }: DataSource, entity: EntityMetadata): TableFacts {
  return {
    columns: sorted(
      entity.columns.map((column) => {
        const { length, precision, scale, isArray } = column;
        const type = driver.createFullType({
          type: driver.normalizeType(column),
          length,
          precision,
          scale,
          isArray,
        } as never);
        const spelled = type.toLowerCase().replace(' array', '[]');
        return [column.databaseName, spelled + (column.isNullable ? '' : ' not null')];
      }),
    ),
    primaryKey: entity.primaryColumns.map((column) => column.databaseName).sort(),
    indexes: sorted([...entity.indices.map(indexOf), ...entity.uniques.map(constraintOf)]),
  };
}

function indexOf(index: IndexMetadata): [string, string] {
  const keys = index.columns.map(({ databaseName }) => databaseName);
  const how = { unique: index.isUnique, method: index.type ?? 'btree', predicate: index.where ?? null, keys };
  return [index.name, index.synchronize ? indexed(how) : BY_NAME];
}

function constraintOf({ name, columns }: UniqueMetadata): [string, string] {
  const keys = columns.map(({ databaseName }) => databaseName);
  return [name, indexed({ unique: true, method: 'btree', predicate: null, keys })];
}

function indexed({ unique, method, keys, predicate }: Omit<IndexRow, 'name' | 'primary'>): string {
  return `${unique ? 'unique ' : ''}${method} (${keys.join(', ')})${predicate === null ? '' : ` where ${predicate}`}`;
}

function sorted(entries: (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function readSchema(dataSource: DataSource): Promise<Map<string, TableFacts>> {
  const tables = await dataSource.query<{ oid: number; name: string }[]>(TABLES);
  const facts = tables.map(async ({ oid, name }) => {
    const columns = await dataSource.query<{ name: string; type: string }[]>(COLUMNS, [oid]);
    const indexes = await dataSource.query<IndexRow[]>(INDEXES, [oid]);
    const entry: TableFacts = {
      columns: sorted(columns.map((column) => [column.name, column.type])),
      primaryKey: indexes.find(({ primary }) => primary)?.keys.toSorted() ?? [],
      indexes: sorted(indexes.filter(({ primary }) => !primary).map((index) => [index.name, indexed(index)])),
    };
    return [name, entry] as const;
  });
  return new Map(await Promise.all(facts));
}
