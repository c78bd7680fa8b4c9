import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repositoryDirectory, topology } from '@kiln/dev';
import { alertRules, recordedNames, rulesText } from './alert-rules.js';
import { dashboards, dashboardsFolder, generatedFiles } from './generated-files.js';
import { metricsInCode } from './metrics-in-code.js';

const document = readFileSync(join(repositoryDirectory, 'docs/observability.md'), 'utf8');
const documented = new Set<string>(
  [...document.matchAll(/^\| `((?:kiln|nodejs|process)_[a-z_]+)` +\|/gm)].map(([, name = '']) => name),
);
const metricNames = /\b(?:kiln_|nodejs_|process_(?:cpu|resident|start)_)[a-z_]+\b/g;
/** Names in a query, without the suffixes of a histogram's series. */
const namesIn = (text: string) =>
  [...text.matchAll(metricNames)].map(([name]) => name.replace(/_seconds_(bucket|sum|count)$/, '_seconds'));

describe('docs/observability.md', () => {
  it('lists the metrics that the code creates, and no others', () => {
    expect([...documented].toSorted()).toStrictEqual([...metricsInCode()].toSorted());
  });

  it('lists every alert with its severity', () => {
    const shown = [...document.matchAll(/^\| \[(\w+)\]\(runbooks\/(\w+)\.md\) +\| (page|ticket) /gm)];
    expect(shown.map(([, name, , severity]) => `${name} ${severity}`).toSorted()).toStrictEqual(
      alertRules.map(({ alert, labels }) => `${alert} ${labels.severity}`).toSorted(),
    );
    for (const [, name, file] of shown) expect(file).toBe(name);
  });
});

describe('the alerts', () => {
  it('query documented metrics', () => {
    const names = namesIn(rulesText);
    expect(names.length).toBeGreaterThan(alertRules.length);
    expect(names.filter((name) => !documented.has(name))).toStrictEqual([]);
  });

  it('query recorded series that a rule records', () => {
    const used = [...rulesText.matchAll(/kiln:\w+:\w+/g)].map(([name]) => name);
    expect(used.filter((name) => !recordedNames.has(name))).toStrictEqual([]);
  });

  it('have one runbook each, and each runbook has its alert', () => {
    const files = readdirSync(join(repositoryDirectory, 'docs/runbooks')).toSorted();
    expect(files).toStrictEqual(alertRules.map(({ alert }) => `${alert}.md`).toSorted());
    for (const { alert, annotations } of alertRules) expect(annotations.runbook_url).toBe(`docs/runbooks/${alert}.md`);
  });
});

it('KilnServiceMissing watches every process', () => {
  const { expr = '' } = alertRules.find(({ alert }) => alert === 'KilnServiceMissing') ?? {};
  const watched = [...expr.matchAll(/absent\(kiln_build_info\{service="([a-z]+)"/g)].map(([, name = '']) => name);
  expect(watched.toSorted()).toStrictEqual(topology.map(({ service }) => service).toSorted());
});

describe('the runbooks', () => {
  it.each(alertRules.map(({ alert }) => alert))(
    '%s says what it means, what users see, where to look and what to do',
    (name) => {
      const text = readFileSync(join(repositoryDirectory, `docs/runbooks/${name}.md`), 'utf8');
      const headings = [...text.matchAll(/^##? (.+)$/gm)].map(([, heading]) => heading);
      expect(headings).toStrictEqual([name, 'What it means', 'What users see', 'Look here', 'Do this']);
      expect(namesIn(text).filter((metric) => !documented.has(metric))).toStrictEqual([]);
    },
  );
});

describe('the dashboards', () => {
  it.each(dashboards)('$title queries documented metrics and recorded series', ({ queries }) => {
    expect(queries.length).toBeGreaterThan(0);
    for (const query of queries) {
      expect(namesIn(query).filter((name) => !documented.has(name))).toStrictEqual([]);
      expect((query.match(/kiln:\w+:\w+/g) ?? []).filter((name) => !recordedNames.has(name))).toStrictEqual([]);
    }
  });
});

describe('the generated files', () => {
  it('are what `node infra/observability/dist/write-files.js` writes', () => {
    for (const { path, text } of generatedFiles) expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('are the only dashboards', () => {
    const names = generatedFiles.filter(({ path }) => path.endsWith('.json')).map(({ path }) => basename(path));
    expect(readdirSync(dashboardsFolder).toSorted()).toStrictEqual(names.toSorted());
  });
});
