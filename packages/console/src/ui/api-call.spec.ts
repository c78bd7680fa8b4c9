import { expect, it } from '@jest/globals';
import { callsWith, commandsOf } from './api-call.js';

it('a call is written for a terminal and for a program, with the key of neither', async () => {
  const call = callsWith('connections:write')('Rename', 'connections.update', 'conn_1', { name: 'It' });
  const { curl, sdk } = await commandsOf('https://kiln.test', call);
  expect(curl).toBe(`curl -X 'PATCH' 'https://kiln.test/v1/connections/conn_1' \\
  -H "Authorization: ApiKey $KILN_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"name":"It"}'`);
  expect(sdk).toContain(`await kiln.connections.update("conn_1", {\n  "name": "It"\n});`);
});

it('a query is part of the address, without what is undefined', async () => {
  const call = callsWith('files:read')('List', 'files.list', { search: 'a b', space: undefined, limit: 5 });
  const { curl, sdk } = await commandsOf('https://kiln.test', call);
  expect(curl).toContain("curl 'https://kiln.test/v1/files?search=a+b&limit=5'");
  expect(sdk).toContain('await kiln.files.list({\n  "search": "a b",\n  "limit": 5\n});');
});
