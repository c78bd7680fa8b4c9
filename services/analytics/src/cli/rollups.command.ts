// `kiln rollups rebuild`: computes the rollups again from the facts, for the operator. Reads DATABASE_URL.
import { assertMigrated, Database, readOptions, startOrExit } from '@kiln/platform';
import { z } from 'zod';
import { migrations } from '../migrations/index.js';
import { RebuildRollups } from '../rollups/rebuild-rollups.usecase.js';
import { loadCliConfig } from './cli.config.js';

const USAGE = `usage:
  kiln rollups rebuild [--org ORG_ID | --tenant TENANT_ID …]

Corrects the numbers of analytics from the facts that its service has recorded, while it answers and records. It prints the
tenants whose numbers were wrong. Without an argument it rebuilds all tenants. --org works with npm run kiln; elsewhere use
--tenant, see kiln org tenants.`;

/** One statement corrects a rollup of a tenant, from all of its facts. */
const STATEMENT_TIMEOUT_MS = 86_400_000;

const print = (line: string) => process.stdout.write(`${line}\n`);

const options = { tenant: { type: 'string', multiple: true } } as const;
const schema = z.object({ tenant: z.array(z.uuid()).default([]) });

/** The tenants named on the command line. An empty list means all. Throws with the usage. */
function readTenants([verb, ...words]: string[]): string[] {
  if (verb !== 'rebuild') throw new Error(USAGE);
  return readOptions(words, { options, schema, usage: USAGE }).tenant;
}

startOrExit(async () => {
  const named = readTenants(process.argv.slice(2));
  const config = loadCliConfig();
  const database = await Database.open(
    {
      url: config.DATABASE_URL,
      schema: 'analytics',
      migrations,
      connectionsMax: 1,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      pooled: config.KILN_DATABASE_POOLER === 'transaction',
    },
    () => undefined, // A connection lost while idle shows as a failed statement.
  );
  try {
    await assertMigrated(database);
    const rebuild = new RebuildRollups(database);
    let count = 0;
    for await (const tenantId of named.length > 0 ? named : rebuild.tenants()) {
      const corrected = Object.entries(await rebuild.execute(tenantId));
      if (corrected.length > 0)
        print(`${tenantId}  ${corrected.map(([table, rows]) => `${table} ${rows}`).join('  ')}`);
      count++;
    }
    print(`${count} tenants rebuilt`);
  } finally {
    await database.close();
  }
});
