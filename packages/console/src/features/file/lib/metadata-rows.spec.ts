import { expect, it } from '@jest/globals';
import { changesOf, problemOf, rowsOf } from './metadata-rows.js';

const metadata = { year: '2026', team: 'glaze' };
const row = (key: string, value: string, id = 0) => ({ id, key, value });

it('only what differs is sent, and a removed key is sent as null', () => {
  expect(changesOf(metadata, rowsOf(metadata))).toBeNull();
  expect(changesOf(metadata, [row('year', '2027'), row(' owner ', 'Ada'), row('', '')])).toStrictEqual({
    year: '2027',
    owner: 'Ada',
    team: null,
  });
});

it('a value without a key and a key that is there twice are refused with the reason', () => {
  expect(problemOf([row('year', '1'), row('', '')])).toBeNull();
  expect(problemOf([row(' ', 'value')])).toMatch(/no key/);
  expect(problemOf([row('year', '1'), row('year ', '2')])).toMatch(/“year” is there twice/);
});
