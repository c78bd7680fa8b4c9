import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { nextLinkOf } from './next-link.http.js';
import { JsonText } from './send-json.http.js';

const request = { headers: { host: 'kiln.test' }, socket: {} } as unknown as IncomingMessage;
const linkOf = (answer: unknown, url = '/v1/files?limit=1', publicUrl?: string) =>
  nextLinkOf(answer, { request, url, publicUrl });

describe('the link to the next page', () => {
  it('has the parameters of the request and the new cursor', () => {
    expect(linkOf({ files: [], next_cursor: 'b' }, '/v1/files?limit=1&cursor=a&search=a%20b')).toBe(
      '<http://kiln.test/v1/files?limit=1&cursor=b&search=a+b>; rel="next"',
    );
    expect(linkOf({ files: [], next_cursor: 'b' }, '/v1/files', 'https://example.com/kiln/')).toBe(
      '<https://example.com/kiln/v1/files?cursor=b>; rel="next"',
    );
  });

  it('follows a request that names its target with scheme and host', () => {
    for (const host of ['kiln.test', 'kiln.test:8080', 'other.test']) {
      expect(linkOf({ files: [], next_cursor: 'b' }, `http://${host}/v1/files?limit=1`)).toBe(
        '<http://kiln.test/v1/files?limit=1&cursor=b>; rel="next"',
      );
    }
  });

  it('is found in the text of a service, whatever the rows say', () => {
    const page = (next_cursor: string | null) =>
      new JsonText(JSON.stringify({ files: [{ filename: '"next_cursor":"evil"' }], next_cursor }));
    expect(linkOf(page('good'))).toBe('<http://kiln.test/v1/files?limit=1&cursor=good>; rel="next"');
    expect(linkOf(page(null))).toBeUndefined();
  });

  it('is missing on the last page and for an answer that is no page', () => {
    for (const answer of [{ files: [], next_cursor: null }, { id: 'a' }, null, 'text', new JsonText('{"id":"a"}')]) {
      expect(linkOf(answer)).toBeUndefined();
    }
  });
});
