// FAKED: Kiln. Real: HTTP.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '../load/client.js';
import { readBooks } from './books.js';

const types = ['markdown', 'metadata', 'searchable-index'];
const right = () => ({
  '/v1/files?limit=100': { files: [{ id: 'file_1' }], next_cursor: null },
  '/v1/jobs?limit=100': { jobs: [{ id: 'job_1', status: 'completed' }], next_cursor: null },
  '/v1/files/file_1': { id: 'file_1', status: 'completed', variants: types.map((type) => ({ type })) },
  '/v1/search': { results: [{ file_id: 'file_1' }] },
  '/v1/analytics/overview': { total_files: 1, total_jobs: 1, files_by_status: { completed: 1 } },
});

describe('the books', () => {
  let server: Server;
  let client: Client;
  let kiln: Record<string, object> = {};
  beforeAll(async () => {
    server = createServer((request, response) => response.end(JSON.stringify(kiln[request.url ?? ''])));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'key');
  });
  beforeEach(() => void (kiln = right()));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const accepted = [{ id: 'file_1', jobId: 'job_1', word: 'word', at: 0 }];
  const read = async (...eventIds: string[]) => {
    const events = new Map([['file_1', new Map(eventIds.map((id) => [id, 1]))]]);
    const { lost, doubled } = await readBooks(client, { port: 0, events, close: () => undefined }, accepted);
    return [lost, doubled];
  };

  it('are right if each accepted file is completed, found, announced and counted once', async () => {
    expect(await read('one')).toStrictEqual([[], []]);
  });

  it('name what is lost', async () => {
    expect(await read()).toStrictEqual([['webhook events of file_1: 0 instead of 1'], []]);
    kiln['/v1/files/file_1'] = { id: 'file_1', status: 'failed', variants: [] };
    kiln['/v1/jobs?limit=100'] = { jobs: [], next_cursor: null };
    kiln['/v1/search'] = { results: [] };
    kiln['/v1/analytics/overview'] = { total_files: 0, total_jobs: 0, files_by_status: {} };
    const [lost = [], doubled = []] = await read('one');
    expect(lost.map((line) => line.replace(/:.*/, ''))).toStrictEqual([
      'file_1 completed',
      'job_1 completed',
      ...types.map((type) => `${type} of file_1`),
      'file_1 in the results of its word',
      'jobs',
      'files of analytics',
      'completed files of analytics',
    ]);
    expect(doubled).toStrictEqual([]);
  });

  it('name what is doubled', async () => {
    expect(await read('one', 'two')).toStrictEqual([[], ['webhook events of file_1: 2 instead of 1']]);
    kiln['/v1/files?limit=100'] = { files: [{ id: 'file_1' }, { id: 'file_2' }], next_cursor: null };
    kiln['/v1/search'] = { results: [{ file_id: 'file_1' }, { file_id: 'file_1' }] };
    kiln['/v1/analytics/overview'] = { total_files: 3, total_jobs: 2, files_by_status: { completed: 2 } };
    const [lost = [], doubled = []] = await read('one');
    expect(lost).toStrictEqual([]);
    expect(doubled.map((line) => line.replace(/:.*/, ''))).toStrictEqual([
      'file_1 in the results of its word',
      'files',
      'files of analytics',
      'jobs of analytics',
    ]);
  });
});
