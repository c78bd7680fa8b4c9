import { expect, it } from '@jest/globals';
import { Kiln } from '@kiln/sdk';
import { sendFile } from './send-file.js';

const { signal } = new AbortController();
const stored = () => Response.json({ id: 'file_1', job_id: 'job_1' }, { status: 201 });
const busy = () =>
  Response.json({ error: 'Slow down.', code: 'RATE_LIMITED' }, { status: 429, headers: { 'retry-after': '0' } });

/** A server that gives these answers, one after the other, and what it was sent. */
function serverWith(...answers: (() => Response)[]) {
  const keys: (string | null)[] = [];
  const bodies: string[] = [];
  const fetch = async (_input: unknown, init: RequestInit = {}) => {
    keys.push(new Headers(init.headers).get('idempotency-key'));
    bodies.push(await new Response(init.body).text());
    return answers.shift()?.() ?? stored();
  };
  const kiln = new Kiln({ baseUrl: 'http://127.0.0.1', apiKey: 'none', fetch });
  return { kiln, keys, bodies };
}

const fileOf = (text: string) => ({
  blob: new Blob([text]),
  name: 'a.txt',
  path: 'letters/a.txt',
  space: null,
  key: 'key-1',
});

it('a small file is sent again while the server is busy, under one key', async () => {
  for (const text of ['', 'A letter.']) {
    const { kiln, keys, bodies } = serverWith(busy, busy);
    expect(await sendFile(kiln, fileOf(text), signal)).toMatchObject({ id: 'file_1' });
    expect(keys).toStrictEqual(['key-1', 'key-1', 'key-1']);
    expect(bodies.at(-1)).toContain(`\r\n\r\n${text}\r\n--`);
  }
});

/** Firefox and Safari: https://developer.mozilla.org/en-US/docs/Web/API/Request/duplex#browser_compatibility. */
function browserWithoutStreams(): () => void {
  const { Request } = globalThis;
  class TextRequest extends Request {
    constructor(url: string, { body, ...init }: RequestInit = {}) {
      super(url, { ...init, body: body instanceof ReadableStream ? '[object ReadableStream]' : (body ?? null) });
    }
  }
  Object.assign(globalThis, { document: {}, Request: TextRequest });
  return () => {
    Object.assign(globalThis, { Request });
    Reflect.deleteProperty(globalThis, 'document');
  };
}

it('a large file goes to Kiln in one request, in any browser, and not to the object store, which a page may not reach', async () => {
  const text = 'x'.repeat(3_000_000);
  const restore = browserWithoutStreams();
  try {
    const { kiln, keys, bodies } = serverWith(busy);
    await sendFile(kiln, fileOf(text), signal);
    expect(keys).toStrictEqual(['key-1', 'key-1']);
    expect(bodies.at(-1)).toContain(`\r\n\r\n${text}\r\n--`);
  } finally {
    restore();
  }
});

it('a file that can no longer be read fails with the reason of the browser', async () => {
  const blob = new Blob(['x'.repeat(3_000_000)]);
  const gone = new DOMException('The file could not be read.', 'NotReadableError');
  blob.slice = () => Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(gone) });
  const { kiln, keys } = serverWith();
  await expect(sendFile(kiln, { ...fileOf(''), blob }, signal)).rejects.toBe(gone);
  expect(keys).toStrictEqual([]);
});
