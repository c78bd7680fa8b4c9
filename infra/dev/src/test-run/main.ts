/**
 * `npm test`: runs the steps in order with their times, up to the first failure, then prints one line of totals. Everything it
 * started is stopped, also on failure and Ctrl-C. `npm test -- unit integration` runs only these steps.
 */
import { messageOf } from '../errors.js';
import { repositoryDirectory } from '../repository.js';
import { stepsAskedFor } from './config.js';
import type { Step, StepContext } from './steps.js';
import { steps } from './steps.js';
import { addTotals, NO_TESTS, totalsLine, type Totals } from './totals.js';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort(signal));

const report = (line: string) => console.log(`${(performance.now() / 1000).toFixed(1).padStart(6)}s  ${line}`);
const context: StepContext = { repository: repositoryDirectory, signal: interruption.signal };

const chosen = chooseSteps(stepsAskedFor());
let totals = NO_TESTS;
for (const step of chosen) {
  const startedAt = performance.now();
  report(`${step.name} …`);
  const result = await runStep(step);
  totals = addTotals(totals, result);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  report(`${step.name} ${result.failed === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  if (result.failed > 0) break;
}
console.log(totalsLine(totals));
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
  return { ...NO_TESTS, failed: 1 };
}

function chooseSteps(names: readonly string[]): readonly Step[] {
  const unknown = names.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) {
    console.error(`Unknown step: ${unknown.join(', ')}. Steps: ${steps.map(({ name }) => name).join(', ')}`);
    process.exit(1);
  }
  return names.length === 0 ? steps : steps.filter(({ name }) => names.includes(name));
}
