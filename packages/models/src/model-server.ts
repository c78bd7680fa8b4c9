/** The HTTP server of the models: OpenAI's embeddings, the common rerank call, and checks of its health. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import type { InferenceQueue, RunBatch, Urgency } from './inference-queue.js';
import type { LocalModel } from './local-model.js';
import { logLine } from './log-line.js';
import type { ModelKind } from './model-manifest.js';
import { embeddingsRequestSchema, rerankRequestSchema } from './request-schemas.js';

/** 128 texts of 100,000 characters in ASCII. */
const BODY_BYTES_MAX = 16_777_216;
const RETRY_AFTER_SECONDS = '1';
/** The client has closed the connection, so it does not receive this status. */
const CLIENT_GONE = 499;

export type ServedModel = Pick<LocalModel, 'manifest' | 'embed' | 'rerank'>;

export interface ModelServerParts {
  /** A request that names no model gets the first one of its kind. */
  models: readonly ServedModel[];
  queue: InferenceQueue;
  /** Called after each request that used a model. */
  afterWork: () => void;
}

/** An answer to the caller in place of a result. */
class HttpProblem extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export function createModelServer(parts: ModelServerParts): Server {
  const server = createServer((request, response) => {
    respond(parts, request)
      .finally(() => {
        // Further requests on open connections would keep a server that stops from ending.
        if (!server.listening) response.setHeader('connection', 'close');
      })
      .then((body) => send(response, 200, body))
      .catch((error: unknown) => sendProblem(response, error));
  });
  server.requestTimeout = 60_000;
  return server;
}

async function respond(parts: ModelServerParts, request: IncomingMessage): Promise<object> {
  const route = `${request.method} ${new URL(request.url ?? '/', 'http://localhost').pathname}`;
  if (route === 'GET /livez' || route === 'GET /readyz') return { status: 'ready', models: namesOf(parts) };
  if (route === 'POST /v1/embeddings') return embed(parts, request);
  if (route === 'POST /v1/rerank') return rerank(parts, request);
  throw new HttpProblem(404, `There is no ${route}. Use POST /v1/embeddings or POST /v1/rerank.`);
}

async function embed(parts: ModelServerParts, request: IncomingMessage) {
  const asked = parse(embeddingsRequestSchema, await readJson(request));
  const { input, model: name, encoding_format: format, dimensions } = asked;
  const model = modelOf(parts, 'embedding', name);
  const urgency = input.length === 1 ? 'search' : 'document';
  const { vectors, tokens } = await compute(parts, request, urgency, (runBatch) => model.embed(input, runBatch));
  const length = vectors[0]?.length ?? 0;
  if (dimensions !== undefined && dimensions !== length)
    throw new HttpProblem(400, `dimensions: the model makes vectors of ${length} numbers.`);
  const data = vectors.map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: format === 'base64' ? base64Of(vector) : [...vector],
  }));
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  return { object: 'list', data, model: model.manifest.name, usage };
}

async function rerank(parts: ModelServerParts, request: IncomingMessage) {
  const asked = parse(rerankRequestSchema, await readJson(request));
  const { query, documents, model: name, top_n: count = documents.length } = asked;
  const model = modelOf(parts, 'reranking', name);
  const scores = await compute(parts, request, 'search', (runBatch) => model.rerank(query, documents, runBatch));
  const results = scores.map((score, index) => ({ index, relevance_score: score }));
  results.sort((one, other) => other.relevance_score - one.relevance_score);
  return { model: model.manifest.name, results: results.slice(0, count) };
}

/** Stops before the next batch if the client has closed its connection, for example at its deadline. */
async function compute<Result>(
  { queue, afterWork }: ModelServerParts,
  { socket }: IncomingMessage,
  urgency: Urgency,
  work: (runBatch: RunBatch) => Promise<Result>,
): Promise<Result> {
  const result = queue.admit(urgency, (runBatch) =>
    work((batch) =>
      runBatch(() => {
        if (socket.destroyed) throw new HttpProblem(CLIENT_GONE, 'The client has gone.');
        return batch();
      }),
    ),
  );
  if (result === null) throw new HttpProblem(429, 'Too many requests wait for the model. Try again later.');
  try {
    return await result;
  } finally {
    afterWork();
  }
}

function modelOf({ models }: ModelServerParts, kind: ModelKind, name: string | undefined): ServedModel {
  const ofKind = models.filter(({ manifest }) => manifest.kind === kind);
  if (ofKind.length === 0)
    throw new HttpProblem(404, `No ${kind} model is here. Add one with: npm run kiln -- models pull`);
  const model = name === undefined ? ofKind[0] : ofKind.find(({ manifest }) => manifest.name === name);
  if (model) return model;
  const names = ofKind.map(({ manifest }) => JSON.stringify(manifest.name)).join(' or ');
  throw new HttpProblem(404, `model: ${JSON.stringify(name)} is not here. Use ${names}.`);
}

const namesOf = ({ models }: ModelServerParts) => models.map(({ manifest }) => manifest.name);

const base64Of = (vector: Float32Array) =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new HttpProblem(400, `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'is not valid'}`);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX) throw new HttpProblem(413, `The body is larger than ${BODY_BYTES_MAX} bytes.`);
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw new HttpProblem(400, 'The body is not JSON.');
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendProblem(response: ServerResponse, error: unknown): void {
  const status = error instanceof HttpProblem ? error.status : 500;
  const message = error instanceof HttpProblem ? error.message : 'The model failed.';
  if (status === 500) logLine('error', message, { err: String(error) });
  if (response.headersSent) return void response.destroy();
  if (status === 429) response.setHeader('retry-after', RETRY_AFTER_SECONDS);
  if (status === 413) response.setHeader('connection', 'close');
  send(response, status, { error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error' } });
}
