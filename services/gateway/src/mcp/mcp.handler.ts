// POST /mcp: the Model Context Protocol over streamable HTTP, without sessions. Each request gets a fresh server, so any gateway process
// can answer any request.
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Request as HttpRequest } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ServerResponse } from 'node:http';
import type { Caller } from '../auth/caller.domain.js';
import { ownAddress } from '../http/own-address.http.js';
import { clientDisconnect } from '../http/client-disconnect.http.js';
import { Reply } from '../routes/reply.domain.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { API_VERSION } from '../openapi/api-version.domain.js';
import { mcpServerFor } from './mcp-server.http.js';

/** The headers by which the protocol negotiates. */
const RELAYED = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'last-event-id'];

export async function answerMcp(
  { body, caller, context, http }: RouteRequest<object, object, object, Caller>,
  services: GatewayServices,
): Promise<Reply> {
  const { logger } = services;
  const handler = createMcpHandler(() => mcpServerFor({ caller, context, http, services }, API_VERSION), {
    // Nothing here changes during a request, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    onerror: (error) => logger.debug({ err: error }, 'MCP request refused'),
  });
  const response = await handler.fetch(requestOf(http), { parsedBody: body });
  return new Reply({ stream: (to) => relay(response, to) });
}

function requestOf(http: HttpRequest): Request {
  const headers = new Headers();
  for (const name of RELAYED) {
    const value = http.get(name);
    if (value !== undefined) headers.set(name, value);
  }
  const url = `${ownAddress(http, undefined)}/mcp`;
  return new Request(url, { method: 'POST', headers, signal: clientDisconnect(http) });
}

async function relay(from: Response, to: ServerResponse): Promise<void> {
  to.writeHead(from.status, Object.fromEntries(from.headers));
  if (from.body === null) to.end();
  else await pipeline(Readable.fromWeb(from.body), to).catch(unlessLeft);
}

/** A caller that leaves before the end of its response is no fault. */
function unlessLeft(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}
