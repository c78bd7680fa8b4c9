// Real: Postgres. Faked: nothing.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Check, Column, DataSource, Entity, Index, PrimaryColumn } from 'typeorm';
import { createTestDatabase, type TestDatabase } from './database.js';
import { schemaDifferences } from './schema-differences.js';

@Entity('things')
@Index('things_by_size', ['size'], { where: 'size > 0' })
@Index('things_by_lower_name', { synchronize: false })
@Check('things_size_check', 'size < 10')
class Thing {
  @PrimaryColumn('uuid')
  id!: string;

  @Column({ type: 'text', array: true, default: [] })
  names!: string[];

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  at!: Date | null;

  @Column('integer', { default: 1 })
  size!: number;
}

const RIGHT = `
  create table things (id uuid primary key, names text[] not null default '{}', at timestamptz(3), size integer not null default 1
    constraint things_size_check check (size < 10));
  create index things_by_size on things (size) where size > 0;
  create index things_by_lower_name on things (lower(names[1]));`;

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = new DataSource({
    type: 'postgres',
    url: database.url,
    schema: 'public',
    entities: [Thing],
    installExtensions: false,
  });
  await dataSource.initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

async function differencesAfter(...sql: string[]): Promise<string> {
  await dataSource.query(`drop schema public cascade; create schema public; ${RIGHT}`);
  for (const text of sql) await dataSource.query(text);
  return (await schemaDifferences(dataSource)).join('\n');
}

it('a schema and matching entities have no differences', async () => {
  expect(await differencesAfter()).toBe('');
});

const changes: [string, string, RegExp][] = [
  ['a table without entity', 'create table more (id integer)', /^more: has no entity$/m],
  ['a missing table', 'drop table things', /^things: is not in the schema$/m],
  ['another type', 'alter table things alter at type timestamptz(6)', /columns are .*timestamp\(6\)/],
  ['a column that may be null', 'alter table things alter names drop not null', /"names":"text\[\]"/],
  ['a column too many', 'alter table things add extra integer', /"extra":"integer"/],
  [
    'another primary key',
    'alter table things drop constraint things_pkey, add primary key (size)',
    /primaryKey are \["size"\]/,
  ],
  ['a missing index', 'drop index things_by_lower_name', /things_by_lower_name/],
  ['an index too many', 'create index things_at on things (at)', /"things_at"/],
  ['another default', 'alter table things alter size set default 2', /TypeORM would run: .*DEFAULT/],
  [
    'another predicate of an index',
    'drop index things_by_size; create index things_by_size on things (size)',
    /btree \(size\) where size > 0/,
  ],
  [
    'an index on more columns',
    'drop index things_by_size; create index things_by_size on things (size, at) where size > 0',
    /size, at/,
  ],
  ['a missing check', 'alter table things drop constraint things_size_check', /things_size_check/],
];
for (const [change, sql, difference] of changes) {
  it(`${change} is a difference`, async () => {
    expect(await differencesAfter(sql)).toMatch(difference);
  });
}
