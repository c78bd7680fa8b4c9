// Idle memory of each process of a freshly started system. PSS counts a page that n processes share as 1/n for each of them, so
// the sum is the memory in use (https://docs.kernel.org/filesystems/proc.html, smaps_rollup). Linux only.
// `npm run bench:footprint`
import { startSystem } from '@kiln/dev/start-system';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** V8 releases memory some time after a start. */
const IDLE_BEFORE_MS = 90_000;

/** PSS in bytes. 0 for a process that has exited. */
function pssBytes(pid: number): number {
  try {
    const match = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
    return Number(match?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** The parent of every process, so that Postgres's backends count as Postgres. */
function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch {
      continue;
    }
  }
  return children;
}

function treeBytes(pid: number, children: Map<number, number[]>): number {
  return (children.get(pid) ?? []).reduce((sum, child) => sum + treeBytes(child, children), pssBytes(pid));
}

const mebibytes = (bytes: number) => (bytes / 1_048_576).toFixed(1).padStart(7);

async function main(): Promise<void> {
  const startedAt = performance.now();
  const system = await startSystem();
  console.log(`first start to ready: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  try {
    await delay(IDLE_BEFORE_MS);
    const run = system.runJson();
    const children = childrenByParent();
    const parts: [string, number | null | undefined][] = [
      ...run.services.map(({ name, role, pid }): [string, number] => [`${name} ${role}`, pid]),
      ['postgres', run.postgres.pid],
      ['nats', run.nats.pid],
      ['redis', run.redis.pid],
      ['object store', run.object_store.pid],
    ];
    let total = pssBytes(system.pid);
    console.log(`${'launcher'.padEnd(20)}${mebibytes(total)} MiB`);
    for (const [name, pid] of parts) {
      const bytes = pid ? treeBytes(pid, children) : 0;
      total += bytes;
      console.log(`${name.padEnd(20)}${mebibytes(bytes)} MiB`);
    }
    console.log(`${'total (PSS)'.padEnd(20)}${mebibytes(total)} MiB`);
  } finally {
    await system.stop();
  }
}

await main();
