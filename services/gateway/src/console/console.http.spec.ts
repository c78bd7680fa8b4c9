import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { request } from 'undici';
import { serveConsole } from './console.http.js';

describe('the console', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-console-'));
  let server: Server;
  let url: string;
  beforeAll(async () => {
    mkdirSync(join(folder, 'site/assets'), { recursive: true });
    writeFileSync(join(folder, 'site/index.html'), '<!doctype html>page');
    writeFileSync(join(folder, 'site/assets/index-4f2a.js'), 'code');
    writeFileSync(join(folder, 'site/assets/index-4f2a.js.gz'), gzipSync('code'));
    writeFileSync(join(folder, 'secret.txt'), 'secret');
    const app = express();
    app.use('/console', serveConsole(join(folder, 'site')));
    app.use('/unbuilt', serveConsole(join(folder, 'nothing')));
    app.use((_request, response) => void response.status(404).send('unknown path'));
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.close();
    await once(server, 'close');
    rmSync(folder, { recursive: true });
  });

  it('shows its page at every address, and lets browsers ask whether it has changed', async () => {
    for (const path of ['/console', '/console/', '/console/files/file_1?q=a']) {
      const response = await fetch(`${url}${path}`);
      expect([response.status, await response.text()]).toStrictEqual([200, '<!doctype html>page']);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      const etag = response.headers.get('etag') ?? '';
      // `fetch` would ask for a fresh answer.
      const again = await request(`${url}${path}`, { headers: { 'if-none-match': etag } });
      expect(again.statusCode).toBe(304);
      await again.body.dump();
    }
  });

  it('lets browsers keep the files whose names contain their hash', async () => {
    const response = await fetch(`${url}/console/assets/index-4f2a.js`);
    expect(await response.text()).toBe('code');
    expect(response.headers.get('content-type')).toMatch('text/javascript');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await fetch(`${url}/console/assets/index-0000.js`)).status).toBe(404);
  });

  it('sends scripts compressed to browsers that take it', async () => {
    const send = (encoding: string) =>
      request(`${url}/console/assets/index-4f2a.js`, { headers: { 'accept-encoding': encoding } });
    const small = await send('gzip, br');
    expect(small.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': expect.stringMatching('text/javascript'),
      'cache-control': expect.stringMatching('immutable'),
      vary: 'Accept-Encoding',
    });
    expect(gunzipSync(await small.body.bytes()).toString()).toBe('code');
    const plain = await send('identity');
    expect([plain.headers['content-encoding'], await plain.body.text()]).toStrictEqual([undefined, 'code']);
  });

  it('permits scripts and connections of this server only, and no frame', async () => {
    const policy = (await fetch(`${url}/console`)).headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'self';.*frame-ancestors 'none'$/);
    expect(policy).not.toMatch('unsafe');
  });

  it('shows no other file, and answers no other method', async () => {
    expect(await (await fetch(`${url}/console/..%2fsecret.txt`)).text()).not.toBe('secret');
    expect(await (await fetch(`${url}/console`, { method: 'POST' })).text()).toBe('unknown path');
  });

  it('says how to build it while it is not built', async () => {
    const response = await fetch(`${url}/unbuilt`);
    expect([response.status, await response.text()]).toStrictEqual([404, expect.stringMatching('npm run build')]);
  });
});
