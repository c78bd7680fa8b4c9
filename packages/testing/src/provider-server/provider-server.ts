// A provider on loopback: a real HTTP server that speaks docling-serve's conversion and OpenAI's embeddings, transcriptions and
// chat, and can be told to misbehave. Its answers follow from what it is sent, so that a test can tell whether that arrived.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { chatAnswer, convertedDocument, embeddings, transcription } from './provider-answers.js';
import type { SeenRequest } from './seen-request.js';

/** Answers one request, or fails to. */
export type ProviderBehaviour = (response: ServerResponse, request: SeenRequest) => void | Promise<void>;

export interface ProviderServer {
  /** `http://127.0.0.1:<port>`, without a path. */
  url: string;
  /** In the order of arrival. */
  requests: SeenRequest[];
  /** For the next requests, one each; the ones after them are answered well again. */
  next(...behaviours: ProviderBehaviour[]): void;
  /** For all requests from now on; null to answer well. */
  always(behaviour: ProviderBehaviour | null): void;
  /** Forgets what was seen and told. */
  reset(): void;
  close(): Promise<void>;
}

const answers: Record<string, (request: SeenRequest, response: ServerResponse) => void | Promise<void>> = {
  '/v1/convert/file': async (request, response) => sendJson(response, await convertedDocument(request)),
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
  const server = createServer((incoming, response) => {
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
