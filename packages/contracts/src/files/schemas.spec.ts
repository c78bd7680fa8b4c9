import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CodedError } from '../core/errors.js';
import { parseInput } from '../core/validation.js';
import { chunkingSchema, filenameSchema, jsonUploadSchema, metadataSchema, spaceSchema } from './schemas.js';

const accepts = (schema: typeof filenameSchema, value: string) => schema.safeParse(value).success;

describe('filenames', () => {
  it('are kept as given, in any script, up to 255 bytes', () => {
    for (const name of ['report.pdf', 'отчёт.docx', '報告書.txt', 'a b (1).csv', '..hidden', 'x'.repeat(255)]) {
      assert.equal(filenameSchema.parse(name), name);
    }
  });

  it('with path syntax, control characters or too many bytes are refused', () => {
    for (const name of [
      '',
      '.',
      '..',
      '../x',
      'a/b',
      'a\\b',
      'a\nb',
      'a\u0000',
      'a\u2028b',
      'é'.repeat(128),
      '\ud800',
    ]) {
      assert.equal(accepts(filenameSchema, name), false, JSON.stringify(name));
    }
  });
});

it('spaces are 1 to 64 characters of A-Z a-z 0-9 . _ -', () => {
  assert.equal(spaceSchema.parse('customer-7.eu_1'), 'customer-7.eu_1');
  for (const space of ['', 'a b', 'a/b', 'x'.repeat(65)]) assert.equal(accepts(spaceSchema, space), false, space);
});

it('metadata holds at most 50 keys with text values', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
  assert.equal(metadataSchema.safeParse(keys(50)).success, true);
  assert.equal(metadataSchema.safeParse(keys(51)).success, false);
  assert.equal(metadataSchema.safeParse({ a: 1 }).success, false);
  for (const text of ['a\0', '\ud800']) {
    assert.equal(metadataSchema.safeParse({ a: text }).success, false);
    assert.equal(metadataSchema.safeParse({ [text]: 'a' }).success, false);
  }
  assert.equal(metadataSchema.safeParse({ a: 'v'.repeat(1025) }).success, false);
});

it('the overlap of chunks is at most half their size', () => {
  assert.equal(chunkingSchema.safeParse({ chunk_size: 1000, chunk_overlap: 500 }).success, true);
  assert.equal(chunkingSchema.safeParse({ chunk_size: 1000, chunk_overlap: 501 }).success, false);
});

it('a refusal names the path of every problem', () => {
  const body = { filename: 'a/b', metadata: { owner: 7 }, chunking: { chunk_size: 1 } };
  assert.throws(
    () => parseInput(jsonUploadSchema, body),
    (error) =>
      error instanceof CodedError &&
      ['filename:', 'metadata.owner:', 'chunking.chunk_size:'].every((path) => error.message.includes(path)),
  );
});

it('unknown fields are ignored, so that newer clients keep working', () => {
  assert.equal('colour' in parseInput(jsonUploadSchema, { filename: 'a.txt', colour: 'red' }), false);
});
