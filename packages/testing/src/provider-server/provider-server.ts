// A provider on loopback: a real HTTP server for docling-serve's conversion, Unstructured's partition, and OpenAI's embeddings, transcriptions and chat.
// Tests can make it fail. Its responses follow from the request, so a test can verify that the request arrived.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { chatAnswer, convertedDocument, embeddings, partitioned, transcription } from './provider-answers.js';
import type { SeenRequest } from './seen-request.js';

/** Handles one request. */
export type ProviderBehaviour = (response: ServerResponse, request: SeenRequest) => void | Promise<void>;

export interface ProviderServer {
  /** `http://127.0.0.1:<port>`, without a path. */
  url: string;
  /** The received requests, in order of arrival. */
  requests: SeenRequest[];
  /** Failures for the next requests, one each. Later requests succeed again. */
  next(...behaviours: ProviderBehaviour[]): void;
  /** The failure for all further requests, or null for none. */
  always(behaviour: ProviderBehaviour | null): void;
  /** Clears the received requests and the configured failures. */
  reset(): void;
  close(): Promise<void>;
}

const answers: Record<string, (request: SeenRequest, response: ServerResponse) => void | Promise<void>> = {
  '/v1/convert/file': async (request, response) => sendJson(response, await convertedDocument(request)),
  '/general/v0/general': async (request, response) => sendJson(response, await partitioned(request)),
  '/v1/audio/transcriptions': async (request, response) => sendJson(response, await transcription(request)),
  '/v1/embeddings': (request, response) => sendJson(response, embeddings(request.json)),
  '/v1/chat/completions': (request, response) => chatAnswer(request.json, response),
};

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export async function startProviderServer(): Promise<ProviderServer> {
  const requests: SeenRequest[] = [];
  const planned: ProviderBehaviour[] = [];
  let standing: ProviderBehaviour | null = null;
  // No connection is closed between two requests, however long the process stands still.
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    response.on('error', () => {});
    const answer = async () => {
      const body = await buffer(incoming);
      const isJson = incoming.headers['content-type']?.startsWith('application/json') ?? false;
      const json = isJson ? (JSON.parse(body.toString('utf8')) as Record<string, unknown>) : {};
      const request = { path: incoming.url ?? '', headers: incoming.headers, body, json };
      requests.push(request);
      const behaviour = planned.shift() ?? standing;
      if (behaviour) return behaviour(response, request);
      const well = answers[request.path];
      if (well) await well(request, response);
      else sendJson(response, { error: { message: 'no such path' } }, 404);
    };
    answer().catch((error: unknown) => {
      if (!response.headersSent) sendJson(response, { error: { message: String(error) } }, 500);
      else response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    next: (...behaviours) => void planned.push(...behaviours),
    always: (behaviour) => (standing = behaviour),
    reset: () => {
      requests.length = 0;
      planned.length = 0;
      standing = null;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
