// Rollups as data: what each kind of fact contributes to them. The statements that record facts and the one that rebuilds a rollup are
// both derived from this, so they cannot differ.

import { groupFiles, groupOutcomes } from './grouped-changes.js';

/** The facts whose changes a contribution reads, under the name `changes`. */
export type Source = 'files' | 'outcomes' | 'connections';

/** What one change contributes: SQL expressions over the row of the change. */
export interface Contribution {
  /** SQL: `changes`, perhaps with periods, and a condition. */
  readonly from: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly sums: Readonly<Record<string, string>>;
  /** A column that keeps the greatest value. */
  readonly greatest?: Readonly<Record<string, string>>;
}

export interface Rollup {
  readonly table: string;
  /** In the order of the primary key. */
  readonly keys: readonly string[];
  readonly contributions: Readonly<Partial<Record<Source, Contribution>>>;
}

const columnsOf = (rollup: Rollup, kind: 'sums' | 'greatest') => [
  ...new Set(Object.values(rollup.contributions).flatMap((contribution) => Object.keys(contribution[kind] ?? {}))),
];

/** SQL: adds what the rows of `changes` contribute. */
export function applyChanges(rollup: Rollup, source: Source): string {
  const contribution = rollup.contributions[source];
  if (!contribution) throw new Error(`${rollup.table} has no contribution of ${source}`);
  const { sums, greatest = {} } = contribution;
  return upsert(rollup, Object.keys(sums), Object.keys(greatest), contributed(rollup, contribution, contribution));
}

/**
 * SQL: makes the rollup of tenant $1 what its facts contribute, by adding the difference. The snapshot of the statement has facts and
 * rollups of the same moment. Changes that commit meanwhile add to the result like to any other.
 */
export function correct(rollup: Rollup): string {
  const [sums, greatest] = [columnsOf(rollup, 'sums'), columnsOf(rollup, 'greatest')];
  const all = { sums: named(sums), greatest: named(greatest) };
  const expected = Object.entries(rollup.contributions).map(
    ([source, contribution]) =>
      `(with changes as (${FACTS[source as Source]}) ${contributed(rollup, contribution, all)})`,
  );
  const stored = [...rollup.keys, ...sums.map((name) => `-${name}`), ...greatest.map(() => 'null::timestamptz')];
  const rows = [...expected, `select ${stored.join(', ')} from ${rollup.table} where tenant_id = $1`];
  return `${upsert(rollup, sums, greatest, rows.join(' union all '))} returning 1`;
}

/** SQL: the facts of tenant $1, as if all of them had just been added. */
const FACTS: Readonly<Record<Source, string>> = {
  files: groupFiles('(select 1 as sign, * from file_facts where tenant_id = $1) changed'),
  outcomes: groupOutcomes(
    '(select 1 as counted, is_latest::int as present, * from job_outcomes where tenant_id = $1) changed',
  ),
  connections: 'select 1 as sign, * from connection_facts where tenant_id = $1',
};

const named = (columns: readonly string[]) => Object.fromEntries(columns.map((column) => [column, column]));

/** SQL: keys, sums and greatest values of each change, in the columns of `wanted`. */
function contributed(
  { keys }: Rollup,
  { from, ...given }: Contribution,
  wanted: Pick<Contribution, 'sums' | 'greatest'>,
): string {
  const values = [
    ...keys.map((key) => given.keys[key] ?? key),
    ...Object.keys(wanted.sums).map((column) => given.sums[column] ?? '0'),
    ...Object.keys(wanted.greatest ?? {}).map((column) => given.greatest?.[column] ?? 'null'),
  ];
  return `select ${values.join(', ')} from ${from}`;
}

/** Rows in the order of their keys: two statements that add to the same rows cannot deadlock. */
function upsert({ table, keys }: Rollup, sums: readonly string[], greatest: readonly string[], rows: string): string {
  const columns = [...keys, ...sums, ...greatest].join(', ');
  const key = keys.join(', ');
  const values = [
    ...keys,
    ...sums.map((name) => `sum(${name})::bigint`),
    ...greatest.map((name) => `max(${name})`),
  ].join(', ');
  const updates = [
    ...sums.map((name) => `${name} = r.${name} + excluded.${name}`),
    ...greatest.map((name) => `${name} = greatest(r.${name}, excluded.${name})`),
  ].join(', ');
  const changed = sums.map((name) => `sum(${name}) <> 0`).join(' or ');
  return `insert into ${table} as r (${columns})
    select ${values} from (${rows}) as contributed (${columns}) group by ${key} having ${changed} order by ${key}
    on conflict (${key}) do update set ${updates}`;
}
