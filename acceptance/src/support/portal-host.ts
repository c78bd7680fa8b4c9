// A page of a customer's application that shows the portal in a frame: the snippet of docs/portal.md, served from an origin of its own.
import { repositoryDirectory } from '@kiln/dev';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export interface PortalHost {
  origin: string;
  /** How many tokens the page has asked for. */
  tokensAsked: () => number;
  close(): Promise<void>;
}

interface HostOptions {
  kilnUrl: string;
  organizationId: string;
  /** Null refuses the request of the page. */
  newToken: () => Promise<string | null>;
}

export async function startPortalHost({ kilnUrl, organizationId, newToken }: HostOptions): Promise<PortalHost> {
  const page = await pageOf(kilnUrl, organizationId);
  let asked = 0;
  const server = createServer((request, response) => {
    const answer = async () => {
      if (request.url === '/empty') return void response.setHeader('content-type', 'text/html').end('<!doctype html>');
      if (request.url !== '/portal-token') return void response.setHeader('content-type', 'text/html').end(page);
      asked += 1;
      const token = await newToken();
      if (token === null) response.writeHead(503).end();
      else response.setHeader('content-type', 'application/json').end(JSON.stringify({ token }));
    };
    answer().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // Another site than that of Kiln, not only another origin.
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    tokensAsked: () => asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function pageOf(kilnUrl: string, organizationId: string): Promise<string> {
  const docs = await readFile(join(repositoryDirectory, 'docs/portal.md'), 'utf8');
  const [, snippet] = /```html\n(.*?)```/s.exec(docs) ?? [];
  if (snippet === undefined) throw new Error('docs/portal.md has no snippet');
  const filled = snippet.replace('https://kiln.example.com', kilnUrl).replace(/org_\w+/, organizationId);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Riverside Studio</title><style>body { font-family: system-ui }</style><h1>Riverside Studio</h1>${filled}</html>`;
}
