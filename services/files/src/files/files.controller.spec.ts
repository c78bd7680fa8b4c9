import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { PATTERN_EXTRAS_METADATA } from '@nestjs/microservices/constants.js';
import { FilesController } from './files.controller.js';

it('a list weighs as much as the words that it searches for, and at least 64 by a filter or metadata', () => {
  const listFiles = Reflect.get(FilesController.prototype, 'listFiles') as object;
  const extras = Reflect.getMetadata(PATTERN_EXTRAS_METADATA, listFiles) as { weightOf: (input: object) => number };
  const weightsOf = (...inputs: object[]) => inputs.map((input) => extras.weightOf(input));
  expect(weightsOf({}, { search: 'two words' }, { search: 'x '.repeat(127) })).toStrictEqual([0, 0, 64]);
  const filter = { content_type: { eq: 'text/plain' } };
  const metadata = { customer: '42' };
  expect(weightsOf({ filter }, { metadata }, { search: 'two words', filter })).toStrictEqual([64, 64, 64]);
  expect(weightsOf({ search: '猫'.repeat(250), filter, metadata })).toStrictEqual([125]);
});
