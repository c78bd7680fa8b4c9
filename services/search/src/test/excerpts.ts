// Excerpts for tests: each is a whole file.
import type { Excerpt } from '../answering/domain/excerpt.js';

export const excerptOf = (text: string, more: Partial<Excerpt> = {}): Excerpt => ({
  fileId: 'a',
  language: 'english',
  filename: 'x.txt',
  text,
  places: [{ at: 0, start: 0, end: text.length, page: null }],
  lines: [],
  start: 0,
  end: text.length,
  page: null,
  headings: [],
  score: 0.5,
  ...more,
});
