// docs/add-an-endpoint.md shows diffs. They stay true only while they apply to the files that they name.
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const repository = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, repository)), 'utf8');

/** Each diff stands below a heading that ends with the path of its file. */
const diffs = [...read('docs/add-an-endpoint.md').matchAll(/^## .*`([^`]+)`\n[^]*?```diff\n([^]*?)```/gm)].map(
  ([, path = '', diff = '']) => ({ path, hunks: diff.split(/^@@\n/m).slice(1) }),
);

/** What a hunk expects to find: its lines without those that it adds. */
const contextOf = (hunk: string) =>
  hunk
    .split('\n')
    .slice(0, -1)
    .filter((line) => !line.startsWith('+'))
    .map((line) => line.slice(1))
    .join('\n');

describe('the guide to adding an endpoint', () => {
  it('shows the contract, the store, the use case, the controller, the row and the test', () => {
    expect(diffs).toHaveLength(6);
  });

  it.each(diffs)('shows a diff that applies to $path', ({ path, hunks }) => {
    const source = read(path);
    expect(hunks.filter((hunk) => !source.includes(contextOf(hunk)))).toStrictEqual([]);
  });
});
