/** Resources that keep the process alive and were not open before, after a grace period. Several of one kind are listed separately. */
import { setTimeout as delay } from 'node:timers/promises';

const CLOSING_MS = 20_000;
const LOOK_EVERY_MS = 20;
/**
 * Requests of the test runner itself: writing output, reading files, scheduling. Its pipes open on first use. A running child
 * process is listed in addition to its pipes.
 */
const PASSING = /^(FSReq|WriteWrap|ShutdownWrap|Immediate|CloseReq|PipeWrap)/;

export async function openHandles(before: readonly string[]): Promise<readonly string[]> {
  const deadline = performance.now() + CLOSING_MS;
  for (;;) {
    const left = without(process.getActiveResourcesInfo(), before).filter((kind) => !PASSING.test(kind));
    if (left.length === 0 || performance.now() > deadline) return left;
    // With nothing else to wait for, a run in a single process would end here, without a result and with exit code 0.
    await delay(LOOK_EVERY_MS);
  }
}

/** The entries of one list that are missing in the other, with multiplicity. */
export function without(list: readonly string[], taken: readonly string[]): readonly string[] {
  const remaining = [...taken];
  return list.filter((entry) => {
    const index = remaining.indexOf(entry);
    if (index >= 0) remaining.splice(index, 1);
    return index < 0;
  });
}
