import { expect, it } from '@jest/globals';
import { commandsOf } from './api-call.js';

it('a call is written for a terminal and for a program, with the key of neither', () => {
  const { curl, sdk } = commandsOf('https://kiln.test', {
    title: 'Rename',
    scope: 'connections:write',
    method: 'PATCH',
    path: '/v1/connections/conn_1',
    body: { name: 'It' },
    sdk: 'connections.update',
    args: ['conn_1', { name: 'It' }],
  });
  expect(curl).toBe(`curl -X 'PATCH' 'https://kiln.test/v1/connections/conn_1' \\
  -H "Authorization: ApiKey $KILN_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"name":"It"}'`);
  expect(sdk).toContain(`await kiln.connections.update("conn_1", {\n  "name": "It"\n});`);
});

it('a query is part of the address, without what is undefined', () => {
  const query = { search: 'a b', space: undefined, limit: 5 };
  const call = { title: 'List', scope: 'files:read', method: 'GET', path: '/v1/files', query } as const;
  const { curl, sdk } = commandsOf('https://kiln.test', { ...call, sdk: 'files.list', args: [query] });
  expect(curl).toContain("curl 'https://kiln.test/v1/files?search=a+b&limit=5'");
  expect(sdk).toContain('await kiln.files.list({\n  "search": "a b",\n  "limit": 5\n});');
});
