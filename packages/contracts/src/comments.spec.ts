// Phrases that make a comment hard to read, and that no plain sentence needs.
import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const THIS_FILE = 'packages/contracts/src/comments.spec.ts';

/** Instead: name the thing that is meant, and begin with it. */
const UNCLEAR =
  /^(?:Those|What is)\b(?!.*\?)|\b(?:goes on|another one|put away|is at it|(?<!`)[Nn]obody|stands? for)\b|(?<!\bthere )\bis none\b/;

/** The doc comments of a text, and the runs of line comments, each on one line. */
const commentsOf = (text: string): string[] =>
  [...text.matchAll(/\/\*\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+/gm)].map(([comment]) =>
    comment
      .split('\n')
      .map((line) => line.replace(/^\s*(?:\/\*\*|\/\/|\*(?!\/))?|\*\/\s*$/g, '').trim())
      .join(' ')
      .trim(),
  );

const unclearIn = (text: string) => commentsOf(text).filter((comment) => UNCLEAR.test(comment));

it('comments name what they are about', () => {
  expect(unclearIn('/** Those of a file. */\n/**\n * The lock\n * goes on.\n */\n// The mark is none.')).toHaveLength(
    3,
  );
  expect(unclearIn('/** Null if there is none. */\n// What is read?\nconst text = "goes on";')).toStrictEqual([]);
  const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  const found = paths
    .split('\n')
    .filter((path) => path !== '' && path !== THIS_FILE)
    .flatMap((path) => unclearIn(readFileSync(join(root, path), 'utf8')).map((comment) => `${path}: ${comment}`));
  expect(found).toStrictEqual([]);
});
