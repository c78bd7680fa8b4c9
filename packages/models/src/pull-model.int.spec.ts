// Real: HTTP on loopback, files. The Hub is a server with its paths and a tiny model.
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFAULT_MODEL } from './catalogue.js';
import { tinyModelFiles } from './fixtures/tiny-model.js';
import { HubClient } from './hub-client.js';
import { installedModels } from './installed-models.js';
import { pullModel } from './pull-model.js';

const REVISION = 'a'.repeat(40);
const hex = (algorithm: string, ...parts: (string | Buffer)[]) => {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** Large files have a SHA-256, others the hash that git has. */
function treeOf(files: Record<string, Buffer>) {
  return Object.entries(files).map(([path, content]) => {
    const oid = hex('sha1', `blob ${content.length}\0`, content);
    const lfs = path.endsWith('.onnx') ? { lfs: { oid: hex('sha256', content), size: content.length } } : {};
    return { type: 'file', path, size: content.length, oid, ...lfs };
  });
}

async function startHub(respond: RequestListener): Promise<{ server: Server; url: string; hub: HubClient }> {
  const server = createServer(respond);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server, url, hub: new HubClient(url) };
}

describe('pulling a model', () => {
  const directory = mkdtempSync(join(tmpdir(), 'kiln-pull-'));
  let modelsFolder = '';
  let runs = 0;
  beforeEach(() => {
    modelsFolder = join(directory, String(++runs));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const stated = tinyModelFiles('embedding', 'onnx/model.onnx');
  async function pull(served: (path: string) => Buffer | 'missing' | 'broken', name = DEFAULT_MODEL) {
    const progress: number[] = [];
    const { server, hub } = await startHub((request, response) => {
      const path = request.url ?? '';
      const json = (value: unknown) => response.end(JSON.stringify(value));
      if (path.endsWith('/revision/main')) return json({ sha: REVISION });
      if (path.includes(`/tree/${REVISION}`)) return json(treeOf(stated));
      const content = served(path.split(`/resolve/${REVISION}/`)[1] ?? '');
      if (content === 'missing') return response.writeHead(404).end();
      if (content !== 'broken') return response.end(content);
      response.writeHead(200, { 'content-length': '1000000' }).write('x', () => response.destroy());
      return response;
    });
    try {
      const onProgress = (received: number, total: number) => void progress.push(received / total);
      const manifest = await pullModel(hub, { modelsFolder, name, precision: 'float32', onProgress });
      return { manifest, progress };
    } finally {
      await hub.close();
      server.close();
    }
  }
  const content = (path: string) => stated[path] ?? ('missing' as const);

  it('installs the files with their checksums, and reports progress to the end', async () => {
    const { manifest, progress } = await pull(content);
    expect(progress.at(-1)).toBe(1);
    expect(manifest).toMatchObject({ name: DEFAULT_MODEL, kind: 'embedding', graph: 'onnx/model.onnx' });
    expect(installedModels(modelsFolder)).toHaveLength(1);
    const graph = join(modelsFolder, DEFAULT_MODEL, 'onnx/model.onnx');
    expect(readFileSync(graph).equals(stated['onnx/model.onnx'] ?? Buffer.alloc(0))).toBe(true);
    expect(readdirSync(modelsFolder)).toStrictEqual([DEFAULT_MODEL]);
  });

  const wrong = (path: string) => Buffer.from((content(path) as Buffer).map((byte) => byte ^ 1));
  it.each([
    [
      'a large file with another checksum',
      (path: string) => (path.endsWith('.onnx') ? wrong(path) : content(path)),
      /onnx differs from its checksum/,
    ],
    [
      'a small file with another checksum',
      (path: string) => (path === 'config.json' ? wrong(path) : content(path)),
      /config\.json differs/,
    ],
    [
      'a file that is longer than stated',
      (path: string) => Buffer.concat([content(path) as Buffer, Buffer.from('x')]),
      /is longer than/,
    ],
    ['a file that is shorter than stated', (path: string) => (content(path) as Buffer).subarray(1), /ended after/],
    ['a missing file', () => 'missing' as const, /status 404/],
    ['a broken connection', () => 'broken' as const, /onnx broke off: .*Try again/],
  ])('installs nothing and keeps the installed model for %s', async (_title, served, message) => {
    await pull(content);
    const before = installedModels(modelsFolder);
    await expect(pull(served)).rejects.toThrow(message);
    expect(installedModels(modelsFolder)).toStrictEqual(before);
    expect(readdirSync(modelsFolder)).toStrictEqual([DEFAULT_MODEL]);
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const { server, url } = await startHub((request, response) => {
      const path = request.url ?? '';
      if (path.endsWith('/revision/main')) return response.end(JSON.stringify({ sha: REVISION }));
      if (path.includes(`/tree/${REVISION}`)) return response.end(JSON.stringify(treeOf(stated)));
      if (path.endsWith('.onnx')) return response.end(stated['onnx/model.onnx']);
      // The rest never comes.
      return program.kill('SIGINT');
    });
    const entry = fileURLToPath(new URL('models.command.js', import.meta.url));
    const env = { KILN_DATA_DIR: modelsFolder, KILN_MODELS_URL: url };
    const program = spawn(process.execPath, [entry, 'pull'], { env, stdio: 'ignore' });
    const [exit] = (await once(program, 'exit')) as [number | null];
    server.closeAllConnections();
    server.close();
    expect([exit, readdirSync(join(modelsFolder, 'models'))]).toStrictEqual([130, []]);
  });

  it('says which models there are for another name, and what to do when the Hub cannot be reached', async () => {
    await expect(pull(content, 'nope')).rejects.toThrow(new RegExp(`Choose one of: ${DEFAULT_MODEL}`));
    const { server, hub } = await startHub((_request, response) => response.end());
    await new Promise<void>((resolve) => void server.close(() => resolve()));
    const options = { modelsFolder, name: DEFAULT_MODEL, precision: 'int8' as const, onProgress: () => {} };
    await expect(pullModel(hub, options)).rejects.toThrow(/cannot be reached.*models add/);
    await hub.close();
  });
});
