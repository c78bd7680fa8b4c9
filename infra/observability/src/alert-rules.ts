// The rules of prometheus/alerts.yml.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { parse } from 'yaml';

export interface AlertRule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

interface RecordingRule {
  record: string;
  expr: string;
}

export const rulesPath = join(repositoryDirectory, 'infra/observability/prometheus/alerts.yml');
const file = parse(readFileSync(rulesPath, 'utf8')) as { groups: { rules: (AlertRule | RecordingRule)[] }[] };
const rules = file.groups.flatMap((group) => group.rules);

export const alertRules = rules.filter((rule): rule is AlertRule => 'alert' in rule);
export const recordedNames = new Set(rules.flatMap((rule) => ('record' in rule ? [rule.record] : [])));
/** The expressions of all rules. */
export const rulesText = rules.map(({ expr }) => expr).join('\n');
