import { expect, it } from '@jest/globals';
import { readSharedStrings } from './workbook-tables.js';

it('a blank string of a workbook is empty, because a cell that refers to it would read all of it', () => {
  const item = (text: string): string => `<si><t xml:space="preserve">${text}</t></si>`;
  expect(readSharedStrings(`<sst>${item(' '.repeat(1000))}${item(' x ')}${item('')}</sst>`)).toStrictEqual([
    '',
    ' x ',
    '',
  ]);
});
