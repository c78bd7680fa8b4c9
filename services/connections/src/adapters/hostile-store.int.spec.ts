// Real: the AWS SDK and its parser, sockets on loopback. Faked: a store of the S3 family that means harm.
import { OutboundPolicy } from '@kiln/outbound';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { s3Page } from '../test/scripted-store.js';
import { BucketOpener } from './bucket-opener.js';

const MEBIBYTE = 1024 * 1024;
const pageOf = (...keys: string[]) => s3Page({ objects: keys.map((key) => ({ key })) });

describe('a store that means harm', () => {
  let answer: (response: ServerResponse) => void = (response) => void response.end();
  let asked = 0;
  const server = createServer((_request, response) => {
    asked++;
    response.on('error', () => undefined);
    answer(response);
  });
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  const opener = new BucketOpener({
    policy: new OutboundPolicy({ allow: '127.0.0.1' }),
    azureEndpoint: 'https://{account}.blob.core.windows.net',
    azureAuthority: 'https://login.microsoftonline.com',
  });
  const place = { provider: 'selfhost_s3', bucket: 'b', region: null } as const;
  const keys = () => ({
    kind: 'accessKey' as const,
    access_key_id: 'id',
    secret_access_key: 'the-secret',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  const open = { requestTimeoutMs: 5_000 };

  async function list(limit = 10, prefix = 'in/') {
    const bucket = await opener.open(place, keys(), open);
    try {
      return await bucket.list({ prefix, limit });
    } finally {
      bucket.close();
    }
  }

  it('and answers without end is cut off, its words as well as its errors', async () => {
    const chunk = 'x'.repeat(MEBIBYTE);
    for (const status of [200, 403]) {
      let sent = 0;
      answer = (response) => {
        response.writeHead(status, { 'content-type': 'application/xml' });
        const more = () => {
          while (!response.destroyed && response.write(chunk)) sent++;
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      };
      const before = process.memoryUsage().rss;
      await assert.rejects(list(), { name: 'BucketError' });
      assert.ok(process.memoryUsage().rss - before < 200 * MEBIBYTE);
      assert.ok(sent < 200, `${sent} MiB were taken`);
    }
  });

  it('and lists what it was not asked for is not believed', async () => {
    const refused = { code: 'refused', message: /does not list its objects as it should/ };
    answer = (response) => void response.end(pageOf('out/a'));
    await assert.rejects(list(), refused);
    answer = (response) => void response.end(pageOf('in/a', 'in/b'));
    await assert.rejects(list(1), refused);
    answer = (response) => void response.end(pageOf(`in/${'k'.repeat(5_000)}`));
    await assert.rejects(list(), refused);
  });

  it('and never comes to the end of its buckets is left', async () => {
    asked = 0;
    answer = (response) =>
      void response.end(
        `<?xml version="1.0"?><ListAllMyBucketsResult><Buckets/><ContinuationToken>${asked}</ContinuationToken></ListAllMyBucketsResult>`,
      );
    assert.deepEqual(await opener.listBuckets(place, keys(), open), []);
    assert.ok(asked <= 20, `asked ${asked} times`);
  });

  it('and leads elsewhere is not followed', async () => {
    answer = (response) => void response.writeHead(307, { location: 'http://169.254.169.254/' }).end();
    await assert.rejects(list(), { name: 'BucketError' });
  });

  it('and answers what is no listing, or a bomb of XML, is refused', async () => {
    const bomb =
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">' +
      Array.from({ length: 9 }, (_, at) => `<!ENTITY ${'bcdefghij'[at]} "${`&${'abcdefghi'[at]};`.repeat(10)}">`).join(
        '',
      ) +
      `]>${pageOf('in/KEY').replace('KEY', '&j;').slice('<?xml version="1.0"?>'.length)}`;
    for (const text of ['', 'no xml <', '{"json": true}', '<html></html>', bomb]) {
      answer = (response) => void response.end(text);
      const before = process.memoryUsage().rss;
      await assert.rejects(list(), { name: 'BucketError', code: 'listing_incomplete' }, text);
      assert.ok(process.memoryUsage().rss - before < 200 * MEBIBYTE);
    }
  });

  it('and repeats the secret it was sent does not get it told', async () => {
    answer = (response) =>
      void response
        .writeHead(403)
        .end('<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>You sent the-secret</Message></Error>');
    await assert.rejects(list(), { code: 'access_denied', message: /You sent \[redacted\]/ });
  });
});
