/** The steps of `npm test`, in order. bootstrap.mjs has installed and built before. */
import { join } from 'node:path';
import { cleanEnvironment } from './config.js';
import { runCommand } from './run-command.js';
import { runJest } from './run-jest.js';
import { NO_TESTS, type Totals } from './totals.js';

export interface StepContext {
  readonly repository: string;
  readonly signal: AbortSignal;
}

export interface Step {
  readonly name: string;
  /** The totals of a step that counts tests. A step without tests counts as one failed test, or none. */
  readonly run: (context: StepContext) => Promise<Totals>;
}

export const steps: readonly Step[] = [
  { name: 'lint', run: (context) => tool(context, 'oxlint', '--type-aware', '--deny-warnings') },
  { name: 'format', run: (context) => tool(context, 'prettier', '--check', '--log-level=warn', '.') },
  {
    name: 'imports',
    run: (context) => {
      const folders = ['services', 'packages', 'infra', 'acceptance', 'bench'];
      return tool(context, 'depcruise', '--config', '.dependency-cruiser.cjs', ...folders);
    },
  },
  { name: 'unit', run: (context) => runJest('unit', context) },
  { name: 'integration', run: (context) => runJest('integration', context) },
  { name: 'acceptance', run: (context) => runJest('acceptance', context) },
];

async function tool(context: StepContext, name: string, ...words: string[]): Promise<Totals> {
  const command = join(context.repository, 'node_modules/.bin', name);
  const exitCode = await runCommand(command, words, { ...context, environment: cleanEnvironment() });
  return exitCode === 0 ? NO_TESTS : { ...NO_TESTS, failed: 1 };
}
