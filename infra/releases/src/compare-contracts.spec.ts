// Each kind of change between two releases, and what the comparison says about it.
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { compareContracts } from './compare-contracts.js';
import { describeContracts } from './recorded-contracts.js';

const text = z.string();

const operation = (input: object, output: object = {}, revision?: number) =>
  describeContracts({
    get: { subject: 'files.get.v1', input: z.object({ ...input }), output: z.object({ ...output }), revision },
  });
const event = (data: object) =>
  describeContracts({ done: { type: 'file.done', owner: 'files', data: z.object({ ...data }) } });

describe('an input', () => {
  const before = operation({ id: text, size: z.int().max(10).optional() });

  it.each<[string, object, string[]]>([
    ['an equal one', { id: text, size: z.int().max(10).optional() }, []],
    ['a wider range', { id: text, size: z.int().max(20).optional() }, []],
    [
      'a new required field',
      { id: text, size: z.int().max(10).optional(), name: text },
      [
        'files.get.v1 input.name is required, and the release before does not always send it',
        'files.get.v1 input.name is ignored by the release before: raise the revision of the operation',
      ],
    ],
    [
      'a new optional field',
      { id: text, size: z.int().max(10).optional(), name: text.optional() },
      ['files.get.v1 input.name is ignored by the release before: raise the revision of the operation'],
    ],
    [
      'a field that became required',
      { id: text, size: z.int().max(10) },
      ['files.get.v1 input.size is required, and the release before does not always send it'],
    ],
    ['a removed field', { id: text }, ['files.get.v1 input.size is gone, and the release before sends it']],
    [
      'a narrower range',
      { id: text, size: z.int().max(9).optional() },
      ['files.get.v1 input.size has values of the release before that are refused'],
    ],
    [
      'fewer values',
      { id: z.enum(['a', 'b']), size: z.int().max(10).optional() },
      ['files.get.v1 input.id has values of the release before that are refused'],
    ],
    [
      'another kind',
      { id: z.int(), size: z.int().max(10).optional() },
      [
        'files.get.v1 input.id has values of the release before that are refused',
        'files.get.v1 input.id has kinds of values that the release before does not know',
      ],
    ],
  ])('with %s', (_, input, problems) => {
    expect(compareContracts(before, operation(input))).toStrictEqual(problems);
  });

  it('may have new fields in a new revision', () => {
    const now = operation({ id: text, size: z.int().max(10).optional(), name: text.optional() }, {}, 2);
    expect(compareContracts(before, now)).toStrictEqual([]);
  });
});

describe('an output', () => {
  const before = operation({}, { status: z.enum(['queued', 'done']), files: z.array(z.object({ id: text })) });

  it.each<[string, object, string[]]>([
    [
      'with a new optional field and a new value',
      {
        status: z.enum(['queued', 'done', 'failed']),
        files: z.array(z.object({ id: text, name: text.optional() })).max(5),
      },
      [],
    ],
    [
      'with a new required field inside of a list',
      { status: z.enum(['queued', 'done']), files: z.array(z.object({ id: text, name: text })) },
      ['files.get.v1 output.files[].name is required, and the release before does not always send it'],
    ],
    [
      'without a field',
      { files: z.array(z.object({ id: text })) },
      ['files.get.v1 output.status is not always sent, and the release before requires it'],
    ],
    [
      'with null',
      { status: z.enum(['queued', 'done']).nullable(), files: z.array(z.object({ id: text })) },
      ['files.get.v1 output.status has kinds of values that the release before does not know'],
    ],
  ])('%s', (_, output, problems) => {
    expect(compareContracts(before, operation({}, output))).toStrictEqual(problems);
  });
});

describe('an event', () => {
  const before = event({ size: z.int().max(10), kind: z.enum(['a', 'b']) });

  it.each<[string, object, string[]]>([
    ['with a new value', { size: z.int().max(10), kind: z.enum(['a', 'b', 'c']) }, []],
    [
      'without a value',
      { size: z.int().max(10), kind: z.enum(['a']) },
      ['file.done data.kind has values of the release before that are refused'],
    ],
    [
      'with a new required field',
      { size: z.int().max(10), kind: z.enum(['a', 'b']), name: text },
      ['file.done data.name is required, and the release before does not always send it'],
    ],
  ])('%s', (_, data, problems) => {
    expect(compareContracts(before, event(data))).toStrictEqual(problems);
  });
});

it('names an operation and an event that are gone', () => {
  expect(compareContracts(operation({}), event({}))).toStrictEqual([
    'files.get.v1 is gone: the release before calls it',
  ]);
  expect(compareContracts(event({}), operation({}))).toStrictEqual([
    'file.done is gone: the release before consumes it',
  ]);
});

it('takes a field of only some kinds of an object for one that may be missing', () => {
  const kinds = z.union([z.object({ a: text, b: text }), z.object({ a: text })]);
  const both = operation({}, { kinds: z.object({ a: text, b: text }) });
  expect(compareContracts(both, operation({}, { kinds }))).toStrictEqual([
    'files.get.v1 output.kinds.b is not always sent, and the release before requires it',
  ]);
});

it('ends at a schema that contains itself', () => {
  const tree = z.object({
    name: text,
    get children() {
      return z.array(tree);
    },
  });
  expect(compareContracts(operation({ tree }), operation({ tree }))).toStrictEqual([]);
});
