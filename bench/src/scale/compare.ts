// Compares an operation in a large system with the same one in a small system, call by call, so that other load on the machine meets both.
import type { Database } from '@kiln/platform';
import { blocksRead } from '@kiln/testing';

const CALLS = 300;
const WARM_UP_CALLS = 30;
const GOAL = 2;

/** Operations of a service by their titles, for a caller of the large or of a small tenant. */
export type Operations = Record<string, () => Promise<unknown>>;

/** A service with its rows. */
export interface System {
  database: Database;
  operations: Operations;
  close(): Promise<void>;
}

export const randomOf = (count: number) => Math.floor(Math.random() * count);

async function timed(call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await call();
  return performance.now() - startedAt;
}

function quantiles(times: readonly number[]): [p50: number, p99: number] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  return [at(0.5), at(0.99)];
}

async function blocksOf(database: Database, call: () => Promise<unknown>): Promise<number> {
  const blocks = await blocksRead(database, call);
  return [...blocks.values()].reduce((sum, read) => sum + read, 0);
}

/** Prints a line for each operation: p50, p99 and the blocks of Postgres that a call reads. */
export async function compare(small: System, large: System, calls = CALLS): Promise<void> {
  for (const [title, operation] of Object.entries(large.operations)) {
    const inSmall = small.operations[title];
    if (!inSmall) throw new Error(`the small system has no ${title}`);
    const times: [small: number[], large: number[]] = [[], []];
    for (let call = -WARM_UP_CALLS; call < calls; call++) {
      const [ofSmall, ofLarge] = [await timed(inSmall), await timed(operation)];
      if (call < 0) continue;
      times[0].push(ofSmall);
      times[1].push(ofLarge);
    }
    const [[p50, p99], [largeP50, largeP99]] = [quantiles(times[0]), quantiles(times[1])];
    const [blocks, largeBlocks] = [await blocksOf(small.database, inSmall), await blocksOf(large.database, operation)];
    const ratios = [largeP50 / p50, largeP99 / p99];
    const cell = (value: number) => value.toFixed(2).padStart(8);
    console.log(
      `${title.padEnd(44)} p50 ${cell(p50)} ${cell(largeP50)}  p99 ${cell(p99)} ${cell(largeP99)}  ratios ${ratios.map((ratio) => ratio.toFixed(1)).join(', ')}` +
        `  blocks ${blocks}, ${largeBlocks}${ratios.some((ratio) => ratio > GOAL) ? '  MISSED' : ''}`,
    );
  }
}
