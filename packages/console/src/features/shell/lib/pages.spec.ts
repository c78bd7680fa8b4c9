import { expect, it } from '@jest/globals';
import { pageOf } from './pages.js';

it('an address belongs to the page that it is below', () => {
  expect(
    ['/', '/files', '/files/file_1', '/filesystem', '/connections/new'].map((path) => pageOf(path)?.to),
  ).toStrictEqual(['/', '/files', '/files', undefined, '/connections']);
});
