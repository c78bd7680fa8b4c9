// Prometheus' checker of rules, which `install-promtool.mjs` installs. Specs that need it are skipped without it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { rulesPath } from './alert-rules.js';
import type { Series } from './alert-cases.js';

const program = join(homedir(), '.cache/kiln/counterparts/bin/promtool');
export const isPromtoolInstalled = existsSync(program);
export const NOT_INSTALLED = 'promtool is not installed: node infra/observability/install-promtool.mjs';

const INTERVAL = '30s';

export interface Expectation {
  /** Time since the first sample. */
  at: string;
  /** The labels of all alerts that fire then, with their names. */
  firing: readonly Readonly<Record<string, string>>[];
}

export interface RulesTest {
  name: string;
  series: Series;
  expectations: readonly Expectation[];
}

/** Returns what promtool says about differences. Empty if exactly the expected alerts fire in each test. */
export function testRules(given: readonly RulesTest[]): string {
  const tests = given.map(({ name, series, expectations }) => ({
    name,
    interval: INTERVAL,
    input_series: Object.entries(series).map(([key, values]) => ({ series: key, values })),
    promql_expr_test: expectations.map(({ at, firing }) => ({
      expr: 'ALERTS{alertstate="firing"}',
      eval_time: at,
      exp_samples: firing.map((labels) => ({ labels: labelled({ ...labels, alertstate: 'firing' }), value: 1 })),
    })),
  }));
  const folder = mkdtempSync(join(tmpdir(), 'kiln-promtool-'));
  try {
    const path = join(folder, 'test.yml');
    writeFileSync(path, stringify({ rule_files: [rulesPath], evaluation_interval: INTERVAL, tests }));
    const { status, stdout, stderr } = run(['test', 'rules', path]);
    return status === 0 ? '' : stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const checkRules = () => run(['check', 'rules', '--lint-fatal', rulesPath]);

const run = (words: string[]) => spawnSync(program, words, { encoding: 'utf8' });

const labelled = (labels: Record<string, string>) =>
  `ALERTS{${Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(', ')}}`;
