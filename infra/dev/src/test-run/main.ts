/**
 * `npm test`: every step in order with its time, up to the first that fails, then one line of totals. Whatever it
 * started is stopped, also on failure and Ctrl-C. `npm test -- unit integration` runs only the steps named.
 */
import { messageOf } from '../errors.js';
import { repositoryDirectory } from '../repository.js';
import { stepsAskedFor } from './config.js';
import type { Totals } from './run-specs.js';
import type { Step, StepContext } from './steps.js';
import { steps } from './steps.js';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort(signal));

const report = (line: string) => console.log(`${(performance.now() / 1000).toFixed(1).padStart(6)}s  ${line}`);
const context: StepContext = { repository: repositoryDirectory, signal: interruption.signal, report };

const chosen = chooseSteps(stepsAskedFor());
const totals = { passed: 0, failed: 0, skipped: 0 };
for (const step of chosen) {
  const startedAt = performance.now();
  report(`${step.name} …`);
  const result = await runStep(step);
  totals.passed += result.passed;
  totals.failed += result.failed;
  totals.skipped += result.skipped;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  report(`${step.name} ${result.failed === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  if (result.failed > 0) break;
}
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed === 0 ? 0 : 1;

async function runStep(step: Step): Promise<Totals> {
  try {
    if (!interruption.signal.aborted) {
      const result = await step.run(context);
      if (!interruption.signal.aborted) return result;
    }
    console.error(`interrupted by ${String(interruption.signal.reason)}`);
  } catch (thrown) {
    console.error(messageOf(thrown));
  }
  return { passed: 0, failed: 1, skipped: 0 };
}

function chooseSteps(names: readonly string[]): readonly Step[] {
  const unknown = names.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) {
    console.error(`Unknown step: ${unknown.join(', ')}. Steps: ${steps.map(({ name }) => name).join(', ')}`);
    process.exit(1);
  }
  return names.length === 0 ? steps : steps.filter(({ name }) => names.includes(name));
}
