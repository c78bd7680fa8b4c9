import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { PATTERN_EXTRAS_METADATA } from '@nestjs/microservices/constants.js';
import { FilesController } from './files.controller.js';

it('a list weighs as much as the words that it searches for', () => {
  const listFiles = Reflect.get(FilesController.prototype, 'listFiles') as object;
  const extras = Reflect.getMetadata(PATTERN_EXTRAS_METADATA, listFiles) as { weightOf: (input: object) => number };
  expect(
    [{}, { search: 'two words' }, { search: 'x '.repeat(127) }].map((input) => extras.weightOf(input)),
  ).toStrictEqual([0, 0, 64]);
});
