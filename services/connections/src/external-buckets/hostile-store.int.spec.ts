// Real: the AWS SDK and its parser, sockets on loopback. Faked: a hostile store of the S3 family.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OutboundPolicy } from '@kiln/outbound';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { s3Page } from '../test/scripted-store.js';
import { BucketOpener } from './bucket-opener.service.js';

const MEBIBYTE = 1024 * 1024;
const pageOf = (...keys: string[]) => s3Page({ objects: keys.map((key) => ({ key })) });

describe('a hostile store', () => {
  let answer: (response: ServerResponse) => void = (response) => void response.end();
  let asked = 0;
  const server = createServer((_request, response) => {
    asked++;
    response.on('error', () => undefined);
    answer(response);
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
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
  const open = { requestTimeoutMs: 60_000 };

  async function list(limit = 10, prefix = 'in/') {
    const bucket = await opener.open(place, keys(), open);
    try {
      return await bucket.list({ prefix, limit });
    } finally {
      bucket.close();
    }
  }

  it('that sends an endless answer or error is cut off', async () => {
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
      await expect(list()).rejects.toMatchObject({ name: 'BucketError' });
      expect(sent).toBeLessThan(200);
    }
  });

  it('that lists keys outside the request is rejected', async () => {
    const refused = { code: 'refused', message: expect.stringMatching(/listed objects outside the request/) };
    answer = (response) => void response.end(pageOf('out/a'));
    await expect(list()).rejects.toMatchObject(refused);
    answer = (response) => void response.end(pageOf('in/a', 'in/b'));
    await expect(list(1)).rejects.toMatchObject(refused);
    answer = (response) => void response.end(pageOf(`in/${'k'.repeat(5_000)}`));
    await expect(list()).rejects.toMatchObject(refused);
  });

  it('that lists an endless number of buckets is cut off', async () => {
    asked = 0;
    answer = (response) =>
      void response.end(
        `<?xml version="1.0"?><ListAllMyBucketsResult><Buckets/><ContinuationToken>${asked}</ContinuationToken></ListAllMyBucketsResult>`,
      );
    expect(await opener.listBuckets(place, keys(), open)).toStrictEqual([]);
    expect(asked).toBeLessThanOrEqual(20);
  });

  it('that redirects is not followed', async () => {
    answer = (response) => void response.writeHead(307, { location: 'http://169.254.169.254/' }).end();
    await expect(list()).rejects.toMatchObject({ name: 'BucketError' });
  });

  it('that answers with no listing, or with an XML bomb, is rejected', async () => {
    const bomb =
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">' +
      Array.from({ length: 9 }, (_, at) => `<!ENTITY ${'bcdefghij'[at]} "${`&${'abcdefghi'[at]};`.repeat(10)}">`).join(
        '',
      ) +
      `]>${pageOf('in/KEY').replace('KEY', '&j;').slice('<?xml version="1.0"?>'.length)}`;
    for (const text of ['', 'no xml <', '{"json": true}', '<html></html>', bomb]) {
      answer = (response) => void response.end(text);
      await expect(list()).rejects.toMatchObject({ name: 'BucketError', code: 'listing_incomplete' });
    }
  });

  it('that repeats the secret does not get it into an error', async () => {
    answer = (response) =>
      void response
        .writeHead(403)
        .end('<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>You sent the-secret</Message></Error>');
    await expect(list()).rejects.toMatchObject({
      code: 'access_denied',
      message: expect.stringMatching(/You sent \[redacted\]/),
    });
  });
});
