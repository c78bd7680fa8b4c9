import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import express from 'express';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { servePortal } from './serve-portal.http.js';

const SOURCE = fileURLToPath(new URL('index.html', import.meta.resolve('@kiln/portal/package.json')));
const [embedded, plain] = ['01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a10', '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a11'].map((uuid) =>
  encodeId('organization', uuid),
);
const ORIGINS = ['https://app.example.com', 'http://localhost:3000'];

describe('the page of the portal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-portal-'));
  let server: Server;
  let url: string;
  beforeAll(async () => {
    mkdirSync(join(folder, 'site/assets'), { recursive: true });
    writeFileSync(join(folder, 'site/index.html'), readFileSync(SOURCE));
    writeFileSync(join(folder, 'site/assets/index-4f2a.js'), 'code');
    const frameAncestors = { of: async (id: string) => (id === embedded ? ORIGINS : []) };
    const app = express();
    app.use((_request, response, next) => {
      response.setHeader('X-Frame-Options', 'DENY');
      next();
    });
    app.use('/portal', servePortal(join(folder, 'site'), frameAncestors));
    app.use('/unbuilt', servePortal(join(folder, 'nothing'), frameAncestors));
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

  async function load(path: string) {
    const response = await fetch(`${url}${path}`);
    const { headers, status } = response;
    const framing = [headers.get('content-security-policy')?.split('; ').at(-1), headers.get('x-frame-options')];
    const body = await response.text();
    const [, listed] = /<meta name="kiln-frame-ancestors" content="([^"]*)"/.exec(body) ?? [];
    return { status, headers, framing, listed, body };
  }

  it('may be framed by the listed origins, which the page knows as well', async () => {
    const page = await load(`/portal/${embedded}`);
    expect(page.framing).toStrictEqual([`frame-ancestors ${ORIGINS.join(' ')}`, null]);
    expect(page.listed).toBe(ORIGINS.join(' '));
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'self';/);
    expect(page.headers.get('content-security-policy')).not.toMatch('unsafe');
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  it('is the same without a list, for an unknown organization, and without one: no site may frame it', async () => {
    const first = await load(`/portal/${plain}`);
    expect([first.status, first.framing, first.listed]).toStrictEqual([200, ["frame-ancestors 'none'", 'DENY'], '']);
    for (const path of ['/portal', '/portal/', '/portal/org_unknown', '/portal/%00', '/portal/a.html']) {
      const { status, framing, body } = await load(path);
      expect([path, status, framing, body]).toStrictEqual([path, 200, first.framing, first.body]);
    }
  });

  it('loads its files from assets, which browsers keep, and which none may frame', async () => {
    const asset = await load('/portal/assets/index-4f2a.js');
    expect([asset.status, asset.body, asset.framing]).toStrictEqual([200, 'code', ["frame-ancestors 'none'", 'DENY']]);
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('is at no deeper path, and answers no other method', async () => {
    expect((await load(`/portal/${embedded}/files`)).status).toBe(404);
    expect((await fetch(`${url}/portal/${embedded}`, { method: 'POST' })).status).toBe(404);
  });

  it('says how to build it while it is not built', async () => {
    const { status, body } = await load('/unbuilt');
    expect([status, body]).toStrictEqual([404, expect.stringMatching('npm run build')]);
  });
});
