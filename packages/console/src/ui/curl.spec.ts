import { expect, it } from '@jest/globals';
import { curlOf } from './curl.js';

it('a request without a body has its method, its address, and a key from the environment', () => {
  expect(curlOf('https://kiln.test', { method: 'GET', path: '/v1/files' })).toBe(
    `curl 'https://kiln.test/v1/files' \\\n  -H "Authorization: ApiKey $KILN_API_KEY"`,
  );
  expect(curlOf('https://kiln.test', { method: 'HEAD', path: '/' })).toMatch(/^curl --head '/);
});

it('a body is sent as JSON, or read from a file', () => {
  const request = { method: 'POST', path: '/v1/search' };
  expect(curlOf('', { ...request, body: { query: "it's" } })).toMatch(/-d '\{"query":"it'\\''s"\}'$/);
  expect(curlOf('', { ...request, body: '@body.json' })).toMatch(/-X 'POST' .* -d @body\.json$/s);
});

it('neither a path nor a method runs commands', () => {
  const [line] = curlOf('', { method: "'; ls", path: "/'$(id)" }).split(' \\\n');
  expect(line).toBe(String.raw`curl -X ''\''; ls' '/'\''$(id)'`);
});
