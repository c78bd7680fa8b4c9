import { expect, it } from '@jest/globals';
import { localTimeOf } from '../../../ui/formats.js';
import { isFiltered, queryOf, readLogsAddress } from './logs-address.js';

it('an address has the filters, and what the API would refuse is left out', () => {
  const address = readLogsAddress({ method: 'GET', status: 404, path: 'v1/files', key: ' ci ', since: '2026-11-27' });
  expect(address).toStrictEqual({
    method: 'GET',
    status: 404,
    path: '/v1/files',
    key: 'ci',
    since: '2026-11-27T00:00:00.000Z',
  });
  expect(readLogsAddress({ method: 'TRACE', status: '4', path: 'a b', key: {}, until: 'soon' })).toStrictEqual({});
  expect(readLogsAddress({ status: 600, path: '', since: '' })).toStrictEqual({});
});

it('the name of the key has its own name in the API', () => {
  expect(queryOf({ key: 'ci', status: 200 })).toStrictEqual({ key_name: 'ci', status: 200 });
  expect([isFiltered({}), isFiltered({ status: 200 })]).toStrictEqual([false, true]);
});

it('a time shows in an input as the time of the browser, and reads back as the same', () => {
  const time = '2026-11-27T09:30:00.000Z';
  expect(readLogsAddress({ since: localTimeOf(new Date(time)) })).toStrictEqual({ since: time });
});
