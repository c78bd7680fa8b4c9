// The words of the whole tree, and the lines of its documents.
import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const GLOSSARY = 'docs/glossary.md';
const THIS_FILE = 'packages/contracts/src/documents.spec.ts';
const LINE_LENGTH_MAX = 400;

/** Every text that is part of the repository, committed or not yet. */
const paths = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.mjs', '*.md', '*.yaml', '*.yml'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((path) => path !== '' && path !== 'pnpm-lock.yaml');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

/** `SyncTurnEntity` becomes `sync_turn_entity`. */
const snakeCase = (name: string) => name.replace(/([a-z0-9])(?=[A-Z])/g, '$1_').toLowerCase();

/** Finds the words and names in a line that contain a word which the glossary has retired. */
function retiredWordFinder(glossary: string): (line: string) => string[] {
  const [, list = ''] = glossary.split('## Retired words');
  const entries = [...list.matchAll(/^- (.+?):(.*)$/gm)];
  const quotedIn = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
  const retired = entries.flatMap(([, words]) => quotedIn(words)).map(snakeCase);
  const allowed = new Set(entries.flatMap(([, , instead]) => quotedIn(instead)));
  const pattern = new RegExp(`(^|_)(${retired.join('|')})(_|$)`);
  return (line) => {
    const names = [...line.matchAll(/[A-Za-z]\w*/g)].map(([name]) => name);
    return names.filter((name) => pattern.test(snakeCase(name)) && !allowed.has(name));
  };
}

it('words that the glossary has retired appear nowhere else, also not inside a name', () => {
  const retiredIn = retiredWordFinder(textOf(GLOSSARY));
  expect(retiredIn('class SyncTurnEntity in its turn; await Promise.allSettled(SETTLE_MS, told)')).toStrictEqual([
    'SyncTurnEntity',
    'turn',
    'SETTLE_MS',
    'told',
  ]);
  const found = paths
    .filter((path) => path !== GLOSSARY && path !== THIS_FILE)
    .flatMap((path) =>
      textOf(path)
        .split('\n')
        .flatMap((line, index) => retiredIn(line).map((name) => `${path}:${index + 1}: ${name}`)),
    );
  expect(found).toStrictEqual([]);
});

it('no line of a document is longer than 400 characters', () => {
  const long = paths
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) =>
      textOf(path)
        .split('\n')
        .flatMap((line, index) => (line.length > LINE_LENGTH_MAX ? [`${path}:${index + 1}`] : [])),
    );
  expect(long).toStrictEqual([]);
});
