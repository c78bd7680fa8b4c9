// Rollups of sums, as data: what each kind of change contributes to them.
import { FACTS, type Rollup, type Source } from './rollup.statement.js';

/** What one change contributes: SQL expressions over its row. */
export interface Contribution {
  /** SQL: the source. It may have periods and a condition. */
  readonly from: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly sums: Readonly<Record<string, string>>;
  /** A column that keeps the greatest value. */
  readonly greatest?: Readonly<Record<string, string>>;
}

interface Definition {
  readonly table: string;
  /** In the order of the primary key. */
  readonly keys: readonly string[];
  readonly contributions: Readonly<Partial<Record<Source, Contribution>>>;
}

export function sums(definition: Definition): Rollup {
  const { table, contributions } = definition;
  return {
    table,
    sources: Object.keys(contributions) as Source[],
    apply(source) {
      const contribution = contributions[source];
      if (!contribution) throw new Error(`${table} has no contribution of ${source}`);
      const { sums: summed, greatest = {} } = contribution;
      return add(
        definition,
        Object.keys(summed),
        Object.keys(greatest),
        contributed(definition, contribution, contribution),
      );
    },
    correction: correct(definition),
  };
}

const columnsOf = ({ contributions }: Definition, kind: 'sums' | 'greatest') => [
  ...new Set(Object.values(contributions).flatMap((contribution) => Object.keys(contribution[kind] ?? {}))),
];

function correct(definition: Definition): string {
  const { table, keys, contributions } = definition;
  const [summed, greatest] = [columnsOf(definition, 'sums'), columnsOf(definition, 'greatest')];
  const all = { sums: named(summed), greatest: named(greatest) };
  const expected = Object.entries(contributions).map(
    ([source, contribution]) =>
      `(with ${source} as (${FACTS[source as Source]}) ${contributed(definition, contribution, all)})`,
  );
  const negative = [...keys, ...summed.map((name) => `-${name}`), ...greatest.map(() => 'null::timestamptz')];
  const stored = `select ${negative.join(', ')} from ${table} where tenant_id = $1`;
  return `${add(definition, summed, greatest, [...expected, stored].join(' union all '))} returning 1`;
}

const named = (columns: readonly string[]) => Object.fromEntries(columns.map((column) => [column, column]));

/** SQL: keys, sums and greatest values of each change, in the columns of `wanted`. */
function contributed(
  { keys }: Definition,
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

/** SQL: adds rows, in the order of their keys: two statements that add to the same rows cannot deadlock. */
function add(
  { table, keys }: Definition,
  summed: readonly string[],
  greatest: readonly string[],
  rows: string,
): string {
  const columns = [...keys, ...summed, ...greatest].join(', ');
  const key = keys.join(', ');
  const values = [
    ...keys,
    ...summed.map((name) => `sum(${name})::bigint`),
    ...greatest.map((name) => `max(${name})`),
  ].join(', ');
  const updates = [
    ...summed.map((name) => `${name} = r.${name} + excluded.${name}`),
    ...greatest.map((name) => `${name} = greatest(r.${name}, excluded.${name})`),
  ].join(', ');
  const changed = summed.map((name) => `sum(${name}) <> 0`).join(' or ');
  return `insert into ${table} as r (${columns})
    select ${values} from (${rows}) as contributed (${columns}) group by ${key} having ${changed} order by ${key}
    on conflict (${key}) do update set ${updates}`;
}
