// Reads damaged documents of every kind in a sandbox. Each must end in a result or a coded error, within the limits; a failure prints the seed
// that makes the document again. `npm run fuzz:extraction [count] [filename …]`
import { createSandbox, ExtractionError } from '@kiln/extraction';
import { damagedKinds } from '@kiln/readers/fixtures/damaged-kinds';
import { mutate, randomOf } from '@kiln/readers/fixtures/mutate';
import type { FormatFixture } from '@kiln/readers/fixtures/one-of-each';
import { Scratch } from '@kiln/readers/fixtures/scratch';
import { rm } from 'node:fs/promises';

const PROCESSES = 2;
/** A document of some kilobytes that takes this long is a fault, though the sandbox would end it. */
const DEADLINE_MS = 20_000;
const FAULTS = new Set(['internal', 'timeout']);

const [given = '2000', ...filenames] = process.argv.slice(2);
const count = Number(given);
const sandbox = createSandbox({ processes: PROCESSES, deadlineMs: DEADLINE_MS, isolation: 'preferred' });
const scratch = await Scratch.make();

/** The code of the error, `read`, or a description of what must not happen. */
async function outcomeOf({ filename, contentType, content }: FormatFixture, seed: number): Promise<string> {
  const input = await scratch.input(filename, contentType, mutate(content, randomOf(seed)));
  try {
    await sandbox.extract(input, new AbortController().signal);
    return 'read';
  } catch (error) {
    return error instanceof ExtractionError ? error.code : `fault ${String(error)}`;
  } finally {
    await rm(input.outputDirectory, { recursive: true });
  }
}

async function fuzz(document: FormatFixture): Promise<boolean> {
  const outcomes: Record<string, number> = {};
  const faults: string[] = [];
  const startedBefore = sandbox.stats().started;
  const startedAt = performance.now();
  let next = 0;
  const work = async () => {
    for (let seed = next++; seed < count; seed = next++) {
      const outcome = await outcomeOf(document, seed);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (FAULTS.has(outcome) || outcome.startsWith('fault'))
        faults.push(`${document.filename} seed ${seed}: ${outcome}`);
    }
  };
  await Promise.all(Array.from({ length: PROCESSES }, work));
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  console.log(
    `${document.filename.padEnd(10)} ${JSON.stringify(outcomes)} ${sandbox.stats().started - startedBefore} children, ${seconds} s`,
  );
  for (const fault of faults) console.log(`  ${fault}`);
  return faults.length === 0;
}

try {
  const documents = (await damagedKinds()).filter(
    ({ filename }) => filenames.length === 0 || filenames.includes(filename),
  );
  for (const document of documents) if (!(await fuzz(document))) process.exitCode = 1;
} finally {
  await sandbox.close();
  await scratch.remove();
}
