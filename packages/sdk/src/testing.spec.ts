import { describe, expect, it } from '@jest/globals';
import { createTestKiln, problem } from './testing.js';

describe('the client for tests', () => {
  it('is answered by the functions of the test, and keeps the requests', async () => {
    const { kiln, requests } = createTestKiln({
      'POST /v1/search': ({ body }) => ({ results: [], query: (body as { query: string }).query }),
      'GET /v1/files/:id': () => problem(409, 'CONFLICT', 'not yet'),
    });
    expect(await kiln.search.query({ query: 'clay' })).toMatchObject({ query: 'clay' });
    await expect(kiln.files.get('file_1')).rejects.toMatchObject({ code: 'CONFLICT', message: 'not yet' });
    await expect(kiln.jobs.get('job_1', { wait: 1 })).rejects.toMatchObject({ status: 404 });
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toStrictEqual([
      'POST /v1/search',
      'GET /v1/files/file_1',
      'GET /v1/jobs/job_1?wait=1',
    ]);
  });
});
