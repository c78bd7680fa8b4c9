// For tests of code that uses Kiln: a client without a server, and requests as webhooks receive them.
import { Webhook } from 'standardwebhooks';
import type { KilnEvent } from './generated/event-payloads.js';
import { Kiln } from './kiln.js';

export interface TestRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Headers;
  /** JSON is parsed. A form is FormData. Other bodies are text. Undefined without a body. */
  body: unknown;
}

/** Returns the JSON of a success, or a Response. */
export type TestHandler = (request: TestRequest) => unknown;

export interface TestKiln {
  kiln: Kiln;
  /** All requests so far. */
  requests: TestRequest[];
}

/**
 * A client whose requests are answered by functions: `{ 'GET /v1/files/:id': () => ({ id: … }) }`. Requests without a function are
 * answered with 404. It never retries.
 */
export function createTestKiln(handlers: Readonly<Record<string, TestHandler>>): TestKiln {
  const requests: TestRequest[] = [];
  const answer = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = await testRequestOf(new Request(input, init));
    requests.push(request);
    const handler = Object.entries(handlers).find(([route]) => fits(route, request))?.[1];
    if (!handler) return problem(404, 'NOT_FOUND', `The test has no handler for ${request.method} ${request.path}`);
    const value = await handler(request);
    return value instanceof Response ? value : json(200, value);
  };
  const kiln = new Kiln({ baseUrl: 'http://kiln.test', apiKey: 'test', fetch: answer, maxRetries: 0 });
  return { kiln, requests };
}

/** An error as Kiln returns it, for handlers. */
export const problem = (status: number, code: string, error = code): Response =>
  json(status, { error, code, requestId: 'test' });

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/** The headers and the body of a request to a webhook, signed now or at `at`. */
export function signedWebhook(event: KilnEvent, secret: string, at = new Date()) {
  const body = JSON.stringify(event);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(event.id, at, body),
  };
  return { body, headers };
}

async function testRequestOf(request: Request): Promise<TestRequest> {
  const { method, headers } = request;
  const { pathname, search } = new URL(request.url);
  return { method, path: pathname + search, headers, body: await bodyOf(request) };
}

async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (type.startsWith('multipart/form-data')) return request.formData();
  const text = await request.text();
  return type.startsWith('application/json') ? JSON.parse(text) : text || undefined;
}

function fits(route: string, { method, path }: TestRequest): boolean {
  const [verb, template = ''] = route.split(' ');
  const parts = (path.split('?')[0] ?? '').split('/');
  const wanted = template.split('/');
  return (
    verb === method &&
    wanted.length === parts.length &&
    wanted.every((part, at) => part.startsWith(':') || part === parts[at])
  );
}
