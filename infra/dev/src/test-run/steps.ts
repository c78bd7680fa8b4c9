/** What `npm test` consists of, in order. Installing and building came before, in bootstrap.mjs. */
import { join } from 'node:path';
import { startSystem } from '../start-system.js';
import { cleanEnvironment } from './config.js';
import type { SpecKind } from './find-specs.js';
import { findSpecs } from './find-specs.js';
import type { Totals } from './run-specs.js';
import { runSpecs, runToEnd } from './run-specs.js';
import { startSharedServers } from './shared-servers.js';

export interface StepContext {
  readonly repository: string;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
}

export interface Step {
  readonly name: string;
  /** The step's totals, where it counts tests; a step without tests counts as failed by one or by none. */
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
  { name: 'unit', run: (context) => specs(context, 'unit', 120, {}) },
  { name: 'integration', run: integration },
  { name: 'acceptance', run: acceptance },
];

const NOTHING: Totals = { passed: 0, failed: 0, skipped: 0 };

async function tool(context: StepContext, name: string, ...words: string[]): Promise<Totals> {
  const command = join(context.repository, 'node_modules/.bin', name);
  const exitCode = await runToEnd(command, words, { ...context, environment: cleanEnvironment() });
  return exitCode === 0 ? NOTHING : { ...NOTHING, failed: 1 };
}

async function specs(
  context: StepContext,
  kind: SpecKind,
  fileTimeoutSeconds: number,
  environment: Readonly<Record<string, string>>,
): Promise<Totals> {
  const files = findSpecs(context.repository, kind);
  if (files.length === 0) return NOTHING;
  return runSpecs({
    ...context,
    files,
    fileTimeoutSeconds,
    environment: { ...cleanEnvironment(), ...environment },
  });
}

async function integration(context: StepContext): Promise<Totals> {
  const servers = await startSharedServers(context.report);
  try {
    return await specs(context, 'integration', 300, servers.environment);
  } finally {
    await servers.stop();
  }
}

/** One system for all suites; a suite that breaks things starts its own. */
async function acceptance(context: StepContext): Promise<Totals> {
  if (findSpecs(context.repository, 'acceptance').length === 0) return NOTHING;
  const system = await startSystem();
  try {
    return await specs(context, 'acceptance', 600, {
      KILN_TEST_BASE_URL: system.baseUrl,
      KILN_TEST_API_KEY: system.apiKey,
      KILN_TEST_DATA_DIR: system.dataDir,
    });
  } finally {
    await system.stop();
  }
}
