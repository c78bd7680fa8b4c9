import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { PATTERN_EXTRAS_METADATA } from '@nestjs/microservices/constants.js';
import { SearchController } from '../searching/search.controller.js';
import { MatchingController } from './matching.controller.js';

const MANY = 'x '.repeat(127);

it.each([
  ['a search', SearchController.prototype, 'search', { query: MANY }],
  ['a list by words of the content', MatchingController.prototype, 'matchFiles', { text: MANY }],
  ['each part of such a list', MatchingController.prototype, 'matchAmong', { text: MANY }],
])('%s weighs as much as its words', (_name, controller, method, input) => {
  const { weightOf } = Reflect.getMetadata(PATTERN_EXTRAS_METADATA, Reflect.get(controller, method) as object) as {
    weightOf: (given: object) => number;
  };
  expect(weightOf(input)).toBe(64);
  expect(weightOf({ query: 'two words', text: 'two words' })).toBe(0);
});
