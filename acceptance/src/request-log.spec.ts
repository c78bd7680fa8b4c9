// The request log of an organization over HTTP.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { bodyOf, KilnClient } from './support/kiln-client.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

interface LogEntry {
  id: string;
  method: string;
  path: string;
  status: number;
  key_name: string;
}

describe('the request log', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  beforeAll(async () => {
    system = await systemUnderTest();
    client = await system.newClient();
  });
  afterAll(() => system.stop());

  const logs = async (query: string) =>
    bodyOf(await client.get<{ logs: LogEntry[]; next_cursor: string | null }>(`/v1/api-logs?${query}`), 200);
  const keyNamed = async (name: string, scopes: string[]) => {
    const { id, key } = bodyOf(
      await client.post<{ id: string; key: string }>('/v1/org/api-keys', { name, scopes }),
      201,
    );
    return { id, key: await KilnClient.of(client.baseUrl, key) };
  };

  it('shows what keys have requested: successes, 403 and 401, without queries and secrets', async () => {
    const reader = await keyNamed('reader', ['jobs:read']);
    await reader.key.get('/v1/jobs?limit=3');
    await reader.key.get('/v1/files?search=classified');
    bodyOf(await client.request('DELETE', `/v1/org/api-keys/${reader.id}`), 200);
    await reader.key.get(`/v1/files/${reader.key.apiKey}`);
    await eventually(async () => {
      const { logs: entries } = await logs('key_name=reader');
      expect(entries.map(({ method, path, status }) => [method, path, status])).toStrictEqual([
        ['GET', '/v1/files/:secret', 401],
        ['GET', '/v1/files', 403],
        ['GET', '/v1/jobs', 200],
      ]);
    });
    const text = JSON.stringify(await logs('limit=200'));
    for (const secret of ['classified', reader.key.apiKey, client.apiKey]) expect(text).not.toContain(secret);
  });

  it('filters by each parameter, pages, and names an invalid one', async () => {
    await eventually(async () => expect((await logs('method=DELETE&status=200')).logs).toHaveLength(1));
    expect((await logs('path=/v1/jo&auth_type=api_key')).logs.map(({ path }) => path)).toStrictEqual(['/v1/jobs']);
    expect((await logs('auth_type=jwt')).logs).toStrictEqual([]);
    expect((await logs('until=2020-01-01')).logs).toStrictEqual([]);
    const first = await logs('limit=2&since=2020-01-01');
    const second = await logs(`limit=2&cursor=${first.next_cursor}`);
    expect(new Set([...first.logs, ...second.logs].map(({ id }) => id)).size).toBe(4);
    for (const query of [
      'method=FETCH',
      'status=99',
      'path=v1',
      'auth_type=basic',
      'since=monday',
      'limit=0',
      'cursor=x',
    ]) {
      const { error } = bodyOf(await client.get<{ error: string }>(`/v1/api-logs?${query}`), 400);
      expect(error).toContain(query.split('=')[0]);
    }
  });

  it('needs the scope logs:read', async () => {
    const { key } = await keyNamed('analyst', ['analytics:read']);
    bodyOf(await key.get('/v1/api-logs'), 403);
    for (const path of ['overview', 'processing?days=365', 'failures?limit=200']) {
      bodyOf(await key.get(`/v1/analytics/${path}`), 200);
    }
    for (const path of [
      'processing?days=0',
      'volume?days=366',
      'trends?days=1.5',
      'failures?limit=201',
      'top-failures?limit=x',
    ]) {
      bodyOf(await key.get(`/v1/analytics/${path}`), 400);
    }
  });
});
