import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { describeProblems } from './validation.js';

const schema = z.strictObject({
  files: z.array(z.object({ filename: z.string().min(1), pages: z.int().max(9).multipleOf(3).optional() })).max(2),
  mode: z.enum(['live', 'test']).optional(),
  names: z.record(z.string().regex(/^[a-z]+$/, { error: 'must be a name' }), z.string()).optional(),
});

it('a problem names the path of its field and what the field must be', () => {
  const cases: [unknown, string][] = [
    [7, 'The value must be an object'],
    [{}, 'files is required'],
    [{ files: [{ filename: 'a' }, { filename: 7 }] }, 'files[1].filename must be a string'],
    [{ files: [{ filename: '' }] }, 'files[0].filename must not be empty'],
    [{ files: [{ filename: 'a', pages: 1.5 }] }, 'files[0].pages must be an integer'],
    [{ files: [{ filename: 'a', pages: 12 }] }, 'files[0].pages must be at most 9'],
    [{ files: [{ filename: 'a', pages: 4 }] }, 'files[0].pages must be a multiple of 3'],
    [{ files: [], mode: 'dev' }, 'mode must be one of live, test'],
    [{ files: [], names: { 'A B': '' } }, 'names.A B must be a name'],
    [{ files: [], more: 1 }, 'The value has fields that do not exist: more'],
    [{ files: 'abc' }, 'files must be an array'],
    [{ files: 'a', mode: 3 }, 'files must be an array; mode must be one of live, test'],
  ];
  for (const [value, message] of cases) {
    const { error } = schema.safeParse(value);
    expect(error && describeProblems(error)).toBe(message);
  }
});
