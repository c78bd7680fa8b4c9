// A tenant with millions of files beside 100,000 small tenants, against a small system in the same run: p50 and p99 of what callers and workers
// ask for, and the blocks of Postgres that each reads. No operation should take more than twice as long.
// `npm run bench:scale [files of the large tenant] [small tenants] [files] [jobs] [snapshot] [analytics] [search]`
import { loadavg } from 'node:os';
import { openAnalytics } from './analytics.js';
import { compare, type System } from './compare.js';
import { openFiles } from './files.js';
import { SMALL_SYSTEM, type Size } from './generated-rows.js';
import { openJobs } from './jobs.js';
import { measureLongSnapshot } from './long-snapshot.js';
import { openSearch } from './search.js';

const [files = 2_000_000, smallTenants = 100_000] = process.argv
  .filter((argument) => /^\d+$/.test(argument))
  .map(Number);
const size: Size = { files, smallTenants };
const chosen = process.argv.slice(2).filter((argument) => !/^\d+$/.test(argument));

async function openBoth<Opened extends System>(open: (size: Size) => Promise<Opened>): Promise<[Opened, Opened]> {
  const small = await open(SMALL_SYSTEM);
  const startedAt = performance.now();
  const large = await open(size);
  console.log(`filled in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s, load ${loadavg()[0]?.toFixed(1)}`);
  return [small, large];
}

async function measure(open: (size: Size) => Promise<System>): Promise<void> {
  const both = await openBoth(open);
  await compare(...both);
  await Promise.all(both.map((system) => system.close()));
}

async function measureJobs(): Promise<void> {
  const both = await openBoth(openJobs);
  await compare(...both);
  for (const system of both) await system.postpone();
  const [small, large] = both.map(({ operationsWhilePostponed: operations, ...system }) => ({ ...system, operations }));
  if (small && large) await compare(small, large);
  await Promise.all(both.map((system) => system.close()));
}

const parts: Record<string, () => Promise<void>> = {
  files: () => measure(openFiles),
  jobs: measureJobs,
  snapshot: async () => {
    for (const tenants of [1, 100])
      for (const hasPositions of [false, true]) await measureLongSnapshot({ tenants, hasPositions, isHeld: true });
    await measureLongSnapshot({ tenants: 100, hasPositions: true, isHeld: false });
  },
  analytics: () => measure(openAnalytics),
  search: () => measure(openSearch),
};
console.log(`${files.toLocaleString('en')} files of one tenant, ${smallTenants.toLocaleString('en')} small tenants`);
console.log('ms in the small system and in the large one');
for (const [name, part] of Object.entries(parts)) if (chosen.length === 0 || chosen.includes(name)) await part();
process.exit();
