/** Sends a request with supertest. Reads the whole response, whatever its status, and follows no redirects. */
import supertest from 'supertest';

type Verb = 'get' | 'head' | 'options' | 'post' | 'put' | 'patch' | 'delete';

export async function send(request: Request, timeoutMs = 60_000): Promise<Response> {
  const { origin } = new URL(request.url);
  const verb = request.method.toLowerCase() as Verb;
  const agent = supertest(origin);
  const sending = agent[verb](request.url.slice(origin.length))
    .set(Object.fromEntries(request.headers))
    .timeout(timeoutMs)
    .buffer(true)
    .parse(asBytes);
  // Sent unchanged: superagent would serialize the bytes of JSON again.
  if (request.body) void sending.serialize((bytes) => bytes as string).send(Buffer.from(await request.arrayBuffer()));
  const { status, headers, body } = await sending;
  const hasBody = Buffer.isBuffer(body) && body.length > 0 && status !== 204 && status !== 304;
  return new Response(hasBody ? new Uint8Array(body) : null, { status, headers: pairsOf(headers) });
}

/** A repeated header, such as Set-Cookie, is a list. */
function pairsOf(headers: Record<string, string | string[]>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]));
}

/** Unparsed, so that a test sees what the server sent. */
function asBytes(response: supertest.Response, done: (error: Error | null, bytes: Buffer) => void): void {
  const chunks: Buffer[] = [];
  const stream = response as unknown as NodeJS.ReadableStream;
  stream.on('data', (chunk: Buffer | string) => chunks.push(Buffer.from(chunk)));
  stream.on('end', () => done(null, Buffer.concat(chunks)));
}
