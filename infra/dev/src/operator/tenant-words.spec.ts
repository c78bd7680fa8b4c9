// How organizations on the command line of an operator become tenants.
import { expect, it } from '@jest/globals';
import { wordsWithTenants } from './tenant-words.js';

const organizations: Record<string, string[]> = { org_1: ['live  a', 'test  b'], org_2: ['live  c', 'test  d'] };
const ask = (verb: string, ...words: string[]) =>
  verb === 'list' ? Object.keys(organizations).map((id) => `${id}  pro`) : (organizations[words[1] ?? ''] ?? []);
const OF_FIRST = ['--tenant', 'a', '--tenant', 'b'];

it('an organization becomes its live and its test tenant, in each form of an option', () => {
  for (const org of [['--org', 'org_1'], ['--org=org_1']])
    expect(wordsWithTenants('jobs', ['list', ...org, '--json'], ask)).toStrictEqual(['list', ...OF_FIRST, '--json']);
});

it('--all of search becomes the tenants of all organizations', () => {
  const tenants = [...OF_FIRST, '--tenant', 'c', '--tenant', 'd'];
  expect(wordsWithTenants('search', ['rebuild', '--all'], ask)).toStrictEqual(['rebuild', ...tenants]);
  expect(wordsWithTenants('dead-letters', ['requeue', '--all'], ask)).toStrictEqual(['requeue', '--all']);
});

it('the gateway gets the organization itself', () => {
  expect(wordsWithTenants('key', ['create', '--org=org_1'], ask)).toStrictEqual(['create', '--org=org_1']);
});
