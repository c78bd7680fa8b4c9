import { describe, expect, it } from '@jest/globals';
import { CodedError } from '../core/errors.js';
import { parseInput } from '../core/validation.js';
import { completeChunking, requestedChunkingSchema } from './chunking.js';
import { filenameSchema, metadataSchema, spaceSchema } from './schemas.js';
import { jsonUploadSchema } from './uploads.js';

const accepts = (schema: typeof filenameSchema, value: string) => schema.safeParse(value).success;

describe('filenames', () => {
  it('are kept as given, in any script, up to 255 bytes', () => {
    for (const name of ['report.pdf', 'отчёт.docx', '報告書.txt', 'a b (1).csv', '..hidden', 'x'.repeat(255)]) {
      expect(filenameSchema.parse(name)).toBe(name);
    }
  });

  it.each(['', '.', '..', '../x', 'a/b', 'a\\b', 'a\nb', 'a\u0000', 'a\u2028b', 'é'.repeat(128), '\ud800'])(
    'are refused with path syntax, control characters or too many bytes: %j',
    (name) => {
      expect(accepts(filenameSchema, name)).toBe(false);
    },
  );
});

describe('spaces', () => {
  it('are 1 to 64 characters of A-Z a-z 0-9 . _ -', () => {
    expect(spaceSchema.parse('customer-7.eu_1')).toBe('customer-7.eu_1');
  });

  it.each(['', 'a b', 'a/b', 'x'.repeat(65)])('are not %j', (space) => {
    expect(accepts(spaceSchema, space)).toBe(false);
  });
});

it('metadata holds at most 50 keys with text values', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
  expect(metadataSchema.safeParse(keys(50)).success).toBe(true);
  expect(metadataSchema.safeParse(keys(51)).success).toBe(false);
  expect(metadataSchema.safeParse({ a: 1 }).success).toBe(false);
  for (const text of ['a\0', '\ud800']) {
    expect(metadataSchema.safeParse({ a: text }).success).toBe(false);
    expect(metadataSchema.safeParse({ [text]: 'a' }).success).toBe(false);
  }
  expect(metadataSchema.safeParse({ a: 'v'.repeat(1025) }).success).toBe(false);
});

it('the overlap of chunks is at most half their size, and of the largest size when none is given', () => {
  const isAccepted = (chunking: object) => requestedChunkingSchema.safeParse(chunking).success;
  expect([isAccepted({ chunk_size: 1000, chunk_overlap: 500 }), isAccepted({ chunk_overlap: 4000 })]).toStrictEqual([
    true,
    true,
  ]);
  expect([isAccepted({ chunk_size: 1000, chunk_overlap: 501 }), isAccepted({ chunk_overlap: 4001 })]).toStrictEqual([
    false,
    false,
  ]);
});

it('a partial chunking is completed by the defaults, which are adapted to what it says', () => {
  const base = { strategy: 'sentence', chunk_size: 800, chunk_overlap: 100 } as const;
  const completed = [
    {},
    { chunk_size: 300 },
    { chunk_size: 151 },
    { chunk_overlap: 600 },
    { strategy: 'fixed' as const },
  ].map((given) => Object.values(completeChunking(given, base)));
  expect(completed).toStrictEqual([
    ['sentence', 800, 100],
    ['sentence', 300, 100],
    ['sentence', 151, 75],
    ['sentence', 1200, 600],
    ['fixed', 800, 100],
  ]);
  expect(completeChunking({ chunk_size: 300 })).toStrictEqual({
    strategy: 'recursive',
    chunk_size: 300,
    chunk_overlap: 150,
  });
});

it('a refusal names the path of every problem', () => {
  const body = { filename: 'a/b', metadata: { owner: 7 }, chunking: { chunk_size: 1 } };
  expect(() => parseInput(jsonUploadSchema, body)).toThrow(CodedError);
  for (const problem of ['filename must', 'metadata.owner must', 'chunking.chunk_size must']) {
    expect(() => parseInput(jsonUploadSchema, body)).toThrow(problem);
  }
});

it('unknown fields are ignored, so that newer clients keep working', () => {
  expect('colour' in parseInput(jsonUploadSchema, { filename: 'a.txt', colour: 'red' })).toBe(false);
});
