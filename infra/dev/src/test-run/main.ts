/**
 * `npm test`: runs the steps in order with their times, up to the first failure. At the end, it lists flaky files and prints one
 * line of totals. Everything it started is stopped, also on failure and Ctrl-C. `npm test -- unit integration` runs only these steps.
 */
import { messageOf } from '../errors.js';
import { repositoryDirectory } from '../repository.js';
import { stepsAskedFor } from './config.js';
import { keepFlakyOutputs } from './keep-flaky-outputs.js';
import type { FlakyFile, RunResult } from './repeat-failed.js';
import { stepsNamed, type Step, type StepContext } from './steps.js';
import { NO_TESTS, sumOf, totalsLine, type Totals } from './totals.js';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort(signal));

const report = (line: string) => console.log(`${(performance.now() / 1000).toFixed(1).padStart(6)}s  ${line}`);
const context: StepContext = { repository: repositoryDirectory, signal: interruption.signal };

const all: Totals[] = [];
const flaky: FlakyFile[] = [];
for (const step of chosenSteps()) {
  const startedAt = performance.now();
  report(`${step.name} …`);
  const result = await runStep(step);
  all.push(result.totals);
  flaky.push(...result.flaky);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  report(`${step.name} ${result.totals.failed === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  if (result.totals.failed > 0) break;
}
const outputs = keepFlakyOutputs(repositoryDirectory, flaky);
if (flaky.length > 0) {
  console.log(`flaky (failed once, passed when repeated alone); outputs in ${outputs}:`);
  for (const { source } of flaky) console.log(`  ${source}`);
}
const totals = sumOf(all);
console.log(totalsLine(totals));
process.exitCode = totals.failed === 0 ? 0 : 1;

async function runStep(step: Step): Promise<RunResult> {
  try {
    if (!interruption.signal.aborted) {
      const result = await step.run(context);
      if (!interruption.signal.aborted) return result;
    }
    console.error(`interrupted by ${String(interruption.signal.reason)}`);
  } catch (thrown) {
    console.error(messageOf(thrown));
  }
  return { totals: { ...NO_TESTS, failed: 1 }, flaky: [] };
}

function chosenSteps(): readonly Step[] {
  try {
    return stepsNamed(stepsAskedFor());
  } catch (thrown) {
    console.error(messageOf(thrown));
    process.exit(1);
  }
}
