// Checks that a folder of migrations is complete and in order, that expanding migrations remove nothing, and that released migrations keep
// their form.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { releaseProblems } from './released-migrations.js';

interface MigrationClass {
  new (): MigrationInterface;
  readonly phase: string;
}

const FILE = /^(\d{13})-([a-z0-9-]+)\.js$/;

/**
 * Statements that remove something the previous release may use: they drop or rename tables, columns and functions, change a
 * column's type, or forbid nulls. Found in the SQL text without comments and function bodies.
 */
const TAKES_AWAY = [
  /\bdrop\s+(table|column|type|view|function|schema)\b/i,
  /\balter\s+table\b[^;]*\bdrop\s+(?!constraint\b|column\b|not\s+null\b|default\b)/i,
  /\brename\b/i,
  /\balter\b[^;]*\bset\s+(not\s+null|data\s+type)\b/i,
  /\balter\s+(column\s+)?\w+\s+type\b/i,
];

/**
 * `folder` contains the compiled `migrations/index.js`; `migrations` is its list, and `checksums` has their checksums by their names. Returns one
 * line per problem.
 */
export async function migrationProblems(
  folder: URL,
  migrations: readonly MigrationClass[],
  checksums: ReadonlyMap<string, string>,
): Promise<string[]> {
  const names = readdirSync(fileURLToPath(folder))
    .filter((file) => file.endsWith('.js') && file !== 'index.js' && !file.includes('.spec.'))
    .sort()
    .map(classNameOf);
  const listed = migrations.map(({ name }) => name);
  const problems =
    names.join() === listed.join() ? [] : [`the files hold ${names.join()}; listed are ${listed.join()}`];
  for (const migration of migrations) problems.push(...(await problemsOf(migration)));
  return [...problems, ...releaseProblems(folder, checksums)];
}

function classNameOf(file: string): string {
  const [, time, name = ''] = FILE.exec(file) ?? [];
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return time === undefined ? `${file}, which is not named <time>-<effect>` : `${words.join('')}${time}`;
}

async function problemsOf(migration: MigrationClass): Promise<string[]> {
  if (migration.phase === 'contract') return [];
  if (migration.phase !== 'expand') return [`${migration.name}: its phase is neither expand nor contract`];
  const taken = (await statementsOf(migration)).flatMap((sql) =>
    TAKES_AWAY.flatMap((pattern) => pattern.exec(sql)?.[0] ?? []),
  );
  return taken.length === 0
    ? []
    : [`${migration.name}: removes something (${taken.join(', ')}), so its phase must be contract`];
}

async function statementsOf(migration: MigrationClass): Promise<string[]> {
  const statements: string[] = [];
  const query = (sql: string) => {
    statements.push(sql.replaceAll(/--.*$/gm, '').replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''"));
    return Promise.resolve([]);
  };
  await new migration().up({ query } as unknown as QueryRunner);
  return statements;
}
