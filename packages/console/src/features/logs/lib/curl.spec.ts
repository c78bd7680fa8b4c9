import { expect, it } from '@jest/globals';
import { curlOf } from './curl.js';

it('a request without a body has its method, its address, and a key from the environment', () => {
  expect(curlOf('https://kiln.test', { method: 'GET', path: '/v1/files' })).toBe(
    `curl 'https://kiln.test/v1/files' \\\n  -H "Authorization: ApiKey $KILN_API_KEY"`,
  );
  expect(curlOf('https://kiln.test', { method: 'HEAD', path: '/' })).toMatch(/^curl --head '/);
});

it('a request with a body reads it from a file, because the log does not have it', () => {
  expect(curlOf('https://kiln.test', { method: 'POST', path: '/v1/search' })).toMatch(/-X 'POST' .* -d @body\.json$/s);
});

it('neither a path nor a method runs commands', () => {
  const [line] = curlOf('', { method: "'; ls", path: "/'$(id)" }).split(' \\\n');
  expect(line).toBe(String.raw`curl -X ''\''; ls' '/'\''$(id)'`);
});
