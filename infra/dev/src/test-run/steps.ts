/** The steps of `npm test`, in order. bootstrap.mjs has installed and built before. */
import { join } from 'node:path';
import { cleanEnvironment, stressSeed } from './config.js';
import type { RunResult } from './repeat-failed.js';
import { runCommand } from './run-command.js';
import { runJest } from './run-jest.js';
import { NO_TESTS } from './totals.js';

export interface StepContext {
  readonly repository: string;
  readonly signal: AbortSignal;
}

export interface Step {
  readonly name: string;
  /** A step without tests counts as one failed test, or none. */
  readonly run: (context: StepContext) => Promise<RunResult>;
}

const gate: readonly Step[] = [
  { name: 'lint', run: (context) => tool(context, 'oxlint', '--type-aware', '--deny-warnings') },
  { name: 'format', run: (context) => tool(context, 'oxfmt', '--check') },
  {
    name: 'imports',
    run: async (context) => {
      const folders = ['services', 'packages', 'infra', 'acceptance', 'bench'];
      const whole = await tool(context, 'depcruise', '--config', '.dependency-cruiser.cjs', ...folders);
      if (whole.totals.failed > 0) return whole;
      const pages = ['packages/console/dist', 'packages/portal/dist'];
      return tool(context, 'depcruise', '--config', '.dependency-cruiser.console.cjs', ...pages);
    },
  },
  { name: 'unit', run: (context) => runJest('unit', context) },
  { name: 'integration', run: (context) => runJest('integration', context) },
  { name: 'acceptance', run: (context) => runJest('acceptance', context) },
];

/** Outside of the gate: memory and plan ceilings, long fuzzing, fresh seeds. Runs only if named. */
const stress: Step = {
  name: 'stress',
  run: (context) => {
    const seed = stressSeed();
    console.log(`seed ${seed}; to run it again: KILN_TEST_SEED=${seed} npm test -- stress`);
    return runJest('stress', { ...context, environment: { KILN_TEST_SEED: seed } });
  },
};

/** The named steps, or all steps of the gate. Throws if a name is unknown. */
export function stepsNamed(names: readonly string[]): readonly Step[] {
  const all = [...gate, stress];
  const unknown = names.filter((name) => !all.some((step) => step.name === name));
  if (unknown.length > 0) {
    throw new Error(`Unknown step: ${unknown.join(', ')}. Steps: ${all.map(({ name }) => name).join(', ')}`);
  }
  return names.length === 0 ? gate : all.filter(({ name }) => names.includes(name));
}

async function tool(context: StepContext, name: string, ...words: string[]): Promise<RunResult> {
  const command = join(context.repository, 'node_modules/.bin', name);
  const exitCode = await runCommand(command, words, { ...context, environment: cleanEnvironment() });
  return { totals: { ...NO_TESTS, failed: exitCode === 0 ? 0 : 1 }, flaky: [] };
}
