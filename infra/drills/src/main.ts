/** `npm run drills [NAME…] [-- --seconds N]`: bad nights on real processes, with their table. */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { drills } from './drills.js';
import { enterPrivateMounts } from './private-mounts.config.js';
import { runDrill } from './run-drill.js';
import { rowsOf, tableHead } from './table.js';

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seconds: { type: 'string', default: '20' } },
  });
  const unknown = positionals.filter((name) => !drills.some((drill) => drill.name === name));
  if (unknown.length > 0) {
    throw new Error(`no such drill: ${unknown.join(', ')}. There are: ${drills.map(({ name }) => name).join(', ')}`);
  }
  const chosen = drills.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const tables: string[] = [];
  let problems = 0;
  for (const drill of chosen) {
    const lacking = drill.lacks();
    if (lacking !== null) {
      console.log(`skipped ${drill.name}: ${lacking}`);
      continue;
    }
    const load = loadavg()[0]?.toFixed(1);
    const report = await runDrill(drill, Number(values.seconds) * 1_000, (line) =>
      console.error(`${new Date().toISOString()} ${drill.name}: ${line}`),
    );
    tables.push(rowsOf(report));
    console.log(`${drill.name}, load average ${load} at its start\n${tableHead()}\n${rowsOf(report)}`);
    for (const [what, list] of Object.entries({ lost: report.books.lost, doubled: report.books.doubled })) {
      for (const entry of list) console.log(`${what}: ${entry}`);
      problems += list.length;
    }
  }
  if (tables.length > 1) console.log([`\n${tableHead()}`, ...tables].join('\n'));
  return problems === 0 ? 0 : 1;
}

// The exit of this process also stops the servers of a drill.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
enterPrivateMounts();
process.exitCode = await main();
