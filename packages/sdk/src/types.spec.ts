// The compiler checks most of this: a wrong type, or a line that should be wrong and is not, fails the build.
import { expect, it } from '@jest/globals';
import { Kiln, type KilnEvent, type Schemas } from './index.js';
import { createTestKiln } from './testing.js';

it('queries, bodies, responses, parts of answers and credentials are typed', async () => {
  const file = { id: 'file_1', filename: 'a.md' };
  const { kiln, requests } = createTestKiln({
    'GET /v1/files': () => ({ files: [file], next_cursor: null }),
    'POST /v1/search': () => ({ results: [] }),
  });
  const listed: Schemas['FileSummary'][] = await kiln.files.list({ status: 'completed' }).all({ limit: 1 });
  expect(listed).toStrictEqual([file]);
  // @ts-expect-error no such status
  await kiln.files.list({ status: 'nonsense' });
  // @ts-expect-error no such field
  await kiln.search.query({ quest: 'clay' });
  // @ts-expect-error a streamed answer has a method of its own
  const ask = () => kiln.search.ask({ question: 'Why?', stream: true });
  // @ts-expect-error one kind of credentials
  expect(() => new Kiln({ baseUrl: 'http://kiln.test', apiKey: 'k', portalToken: 't' })).toThrow('one of apiKey');
  expect([requests.length, typeof ask]).toStrictEqual([3, 'function']);
});

it('the type of an event says which data it has', () => {
  const nameOf = (event: KilnEvent): string | undefined =>
    event.type === 'file.processing.completed' ? event.data.filename : undefined;
  const event = { type: 'file.processing.completed', data: { filename: 'a.md' } } as KilnEvent;
  expect(nameOf(event)).toBe('a.md');
});
