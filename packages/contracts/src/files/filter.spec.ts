import { describe, expect, it } from '@jest/globals';
import { metadataKeysOf, passesFilter } from './filter-match.js';
import { equalitiesOf, fileFilterSchema, fileFilterTextSchema, type FileFilter } from './filter.js';

const file = {
  file_id: 'file_1',
  external_id: 'order-7',
  space: 'legal',
  content_type: 'Text/Plain; charset=utf-8',
  created_at: '2026-03-01T10:00:00.000Z',
  status: 'completed',
  metadata: { year: '2020', signed: '2020-05-12', price: '1.50', name: 'Ann', empty: '' },
};

const problemOf = (filter: unknown) => {
  const [issue] = fileFilterSchema.safeParse(filter).error?.issues ?? [];
  return issue ? `${issue.path.join('.')}: ${issue.message}` : null;
};

describe('a file passes', () => {
  it.each<FileFilter>([
    { space: { eq: 'legal' } },
    { file_id: { in: ['file_2', 'file_1'] } },
    { external_id: { eq: 'order-7' } },
    { content_type: { eq: 'text/plain' } },
    { status: { in: ['completed', 'failed'] } },
    { created_at: { gte: '2026-03-01', lt: '2026-03-02' } },
    { created_at: { eq: '2026-03-01T11:00:00+01:00' } },
    { 'metadata.year': { eq: '2020' } },
    { 'metadata.year': { eq: 2020 } },
    { 'metadata.price': { eq: 1.5 } },
    { 'metadata.year': { gt: 2019, lte: '2020' } },
    { 'metadata.signed': { gt: '2020-05-11T23:00', lt: '2020-05-13' } },
    { 'metadata.empty': { exists: true } },
    { 'metadata.other': { exists: false } },
    { not: { 'metadata.other': { eq: 'x' } } },
    {
      and: [
        { space: { eq: 'legal' } },
        { or: [{ 'metadata.name': { eq: 'Bob' } }, { 'metadata.name': { eq: 'Ann' } }] },
      ],
    },
  ])('%j', (filter) => {
    expect(problemOf(filter)).toBeNull();
    expect(passesFilter(file, filter)).toBe(true);
  });
});

describe('a file does not pass', () => {
  it.each<FileFilter>([
    { space: { eq: 'Legal' } },
    { 'metadata.name': { gt: 5 } },
    { 'metadata.name': { gt: '2020-01-01' } },
    { 'metadata.year': { gt: '2019-01-01' } },
    { 'metadata.signed': { gt: 2019 } },
    { 'metadata.other': { eq: 'x' } },
    { 'metadata.other': { lt: 5 } },
    { 'metadata.year': { gte: 2020, lt: 2020 } },
    { 'metadata.__proto__': { exists: true } },
    { not: { space: { eq: 'legal' } } },
    { or: [{ space: { eq: 'a' } }, { status: { eq: 'failed' } }] },
    { external_id: { exists: false } },
  ])('%j', (filter) => {
    expect(problemOf(filter)).toBeNull();
    expect(passesFilter(file, filter)).toBe(false);
  });
});

describe('a filter is refused', () => {
  const nested = (levels: number): object =>
    Array.from({ length: levels }).reduce<object>((inner) => ({ not: inner }), { space: { eq: 'a' } });
  it.each([
    [{}, ': must have one member: and, or, not, or a field'],
    [{ space: { eq: 'a' }, status: { eq: 'failed' } }, ': must have one member: and, or, not, or a field'],
    [{ and: [] }, 'and: must be a list of filters'],
    [{ and: [{ space: 'a' }] }, /^and\.0\.space: /],
    [{ title: { eq: 'a' } }, /^title: is not a field/],
    [{ 'metadata.': { eq: 'a' } }, /is not a field/],
    [{ space: { gt: 'a' } }, 'space: does not have the comparison gt'],
    [{ space: {} }, /^space: must have a comparison/],
    [{ 'metadata.a': { gt: 'soon' } }, 'metadata.a.gt: must be a number or an ISO 8601 date'],
    [{ created_at: { eq: 'soon' } }, 'created_at.eq: must be an ISO 8601 date'],
    [{ created_at: { gt: '2026-02-30' } }, 'created_at.gt: must be an ISO 8601 date'],
    [{ created_at: { lt: '2026-02-29T10:00:00Z' } }, 'created_at.lt: must be an ISO 8601 date'],
    [{ created_at: { gte: '2026' } }, 'created_at.gte: must be an ISO 8601 date'],
    [{ created_at: { lte: 1_767_225_600_000 } }, 'created_at.lte: must be an ISO 8601 date'],
    [{ created_at: { in: ['2026-01-01', 2026] } }, 'created_at.in.1: must be an ISO 8601 date'],
    [{ status: { eq: 'done' } }, /^status\.eq: /],
    [{ 'metadata.a': { in: Array.from({ length: 101 }, String) } }, /^metadata\.a\.in: /],
    [{ or: Array.from({ length: 31 }, () => ({ space: { eq: 'a' } })) }, ': must have at most 30 comparisons'],
    [nested(4), 'not.not.not: must be nested at most 3 levels deep'],
  ] as const)('%j', (filter, problem) => {
    expect(problemOf(filter)).toMatch(problem);
  });

  it('with more than three levels, however many', () => {
    expect(problemOf(nested(3))).toBeNull();
    expect(problemOf(nested(10_000))).toBe('not.not.not: must be nested at most 3 levels deep');
  });

  it('in a URL, if it is no JSON', () => {
    expect(fileFilterTextSchema.parse('{"space":{"eq":"a"}}')).toStrictEqual({ space: { eq: 'a' } });
    for (const [text, problem] of [
      ['{', 'must be JSON'],
      ['"a"', /object/],
      ['{"a":1}', /is not a field/],
    ] as const) {
      expect(fileFilterTextSchema.safeParse(text).error?.issues[0]?.message).toMatch(problem);
    }
  });
});

it('a filter is described with the fields of a file that it can test', () => {
  const { metadata: _metadata, ...fields } = file;
  const described = fileFilterSchema.meta()?.description;
  for (const field of [...Object.keys(fields), 'metadata.<key>']) expect(described).toContain(`\`${field}\``);
});

it('what each file equals is found at the top of a filter only', () => {
  const filter: FileFilter = {
    and: [
      { space: { eq: 'a' } },
      { 'metadata.k': { eq: 'v' } },
      { 'metadata.n': { eq: 5 } },
      { status: { eq: 'failed' } },
      { or: [{ content_type: { eq: 'text/plain' } }, { 'metadata.other': { exists: true } }] },
    ],
  };
  expect(equalitiesOf(filter)).toStrictEqual({ space: 'a', metadata: { k: 'v' }, status: 'failed' });
  expect(equalitiesOf({ file_id: { in: ['file_1', 'x'] } })).toStrictEqual({ fileIds: ['file_1', 'x'] });
  expect(equalitiesOf({ not: { space: { eq: 'a' } } })).toStrictEqual({});
  expect(metadataKeysOf(filter)).toStrictEqual(['k', 'n', 'other']);
});
