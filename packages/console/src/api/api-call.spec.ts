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
