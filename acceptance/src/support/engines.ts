// Remote engines on loopback: docling-serve's conversion and OpenAI's embeddings. Tests can make them fail.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Asked {
  path: string;
  headers: IncomingHttpHeaders;
}

export interface EngineServer {
  url: string;
  asked: Asked[];
  /** Responds to every request with this status. Null for normal operation. */
  refuse(status: number | null): void;
  /** Holds all responses until the returned function is called. */
  hold(): () => void;
  close(): Promise<void>;
}

export const EMBEDDING_DIMENSIONS = 4;

const SUBJECTS = [/saur/i, /kiln|furnace|oven/i, /river|stream|water/i];

/** Texts on one subject have the same vector, whatever their words are. */
export const embeddingOf = (text: string): number[] => [
  ...SUBJECTS.map((subject) => (subject.test(text) ? 1 : 0)),
  0.25,
];

const json = (response: ServerResponse, status: number, body: unknown) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

async function convert(headers: IncomingHttpHeaders, body: Buffer, markdown: string) {
  const type = headers['content-type'] ?? '';
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const placeholder = form.get('md_page_break_placeholder') as string;
  return {
    document: { md_content: markdown.replaceAll('\f', `\n\n${placeholder}\n\n`) },
    status: 'success',
    errors: [],
  };
}

function embed(body: Buffer) {
  const { input, model } = JSON.parse(body.toString()) as { input: string[]; model: string };
  const data = input.map((text, index) => ({ index, embedding: embeddingOf(text) }));
  return { model, data, usage: { total_tokens: input.length } };
}

/** Returns `markdown` for every document. A form feed ends a page. */
export async function startEngine(markdown: string): Promise<EngineServer> {
  const asked: Asked[] = [];
  let refusal: number | null = null;
  let released = Promise.resolve();
  const server = createServer((request, response) => {
    response.on('error', () => {});
    const answer = async () => {
      const body = await buffer(request);
      const path = request.url ?? '';
      asked.push({ path, headers: request.headers });
      await released;
      if (refusal !== null) return json(response, refusal, { error: 'refused' });
      if (path === '/v1/convert/file') return json(response, 200, await convert(request.headers, body, markdown));
      if (path === '/v1/embeddings') return json(response, 200, embed(body));
      json(response, 404, { error: 'no such path' });
    };
    answer().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    refuse: (status) => (refusal = status),
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      released = promise;
      return resolve;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
