// The words of the whole tree, and the lines of its documents.
import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const GLOSSARY = 'docs/glossary.md';
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

function retiredWords(): string[] {
  const [, list = ''] = textOf(GLOSSARY).split('## Retired words');
  const entries = [...list.matchAll(/^- ([^:]+):/gm)].map((match) => match[1] ?? '');
  return entries.flatMap((entry) => [...entry.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''));
}

it('words that the glossary has retired appear nowhere else', () => {
  const words = retiredWords();
  expect(words.length).toBeGreaterThan(5);
  const retired = new RegExp(`\\b(${words.join('|')})\\b`);
  const found = paths
    .filter((path) => path !== GLOSSARY)
    .flatMap((path) =>
      textOf(path)
        .split('\n')
        .flatMap((line, index) => (retired.test(line) ? [`${path}:${index + 1}: ${retired.exec(line)?.[1]}`] : [])),
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
