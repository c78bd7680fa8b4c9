// Makes requests. Nearly all go to a real route with good credentials and have one fault, so that they pass the first checks and
// reach the deep ones.
import { encodeId, idPrefixes, variantTypeSchema, type IdKind } from '@kiln/contracts';
import fc from 'fast-check';
import { routeTable } from '../routes/table.routes.js';
import type { Route } from '../routes/kinds.route.js';

export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

const BOUNDARY = 'fuzz';
const kinds = Object.keys(idPrefixes) as IdKind[];
const json = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '');

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\u{fffd}',
    "' or 1=1 --",
    '%s',
    '../../etc/passwd',
    '__proto__',
    'null',
    '-1',
    '1e999',
  ),
  fc.nat(3_000).map((length) => 'x'.repeat(length)),
);

/** A text with percent-encoding that is right, broken, or missing. */
const segment = fc.oneof(
  text.map((value) => encodeURIComponent(value.toWellFormed())),
  fc.constantFrom(
    '%',
    '%zz',
    '%00',
    '%ff',
    '%c0%ae',
    '..',
    '.',
    '%2e%2e%2f',
    'file_',
    'file_0',
    '[',
    '{}',
    '~',
    ';a=b',
  ),
);
const typeId = fc.record({ kind: fc.constantFrom(...kinds), uuid: fc.uuid({ version: 7 }) });
const parameter = fc.oneof(
  { weight: 6, arbitrary: typeId.map(({ kind, uuid }) => encodeId(kind, uuid)) },
  { weight: 2, arbitrary: fc.constantFrom(...variantTypeSchema.options) },
  { weight: 1, arbitrary: segment },
);

const pathOf = (route: Route) =>
  fc
    .array(parameter, { minLength: 4, maxLength: 4 })
    .map((values) => route.path.replaceAll(/:\w+/g, () => values.pop() ?? 'x'));

const queryName = (route: Route) =>
  fc.oneof(fc.constantFrom('limit', 'cursor', 'metadata.a', ...Object.keys(route.query?.shape ?? {})), text);
const query = (route: Route) =>
  fc
    .array(fc.tuple(queryName(route), fc.oneof(text, fc.constantFrom('0', '201', 'NaN', '2026-02-30', 'asc'))), {
      maxLength: 4,
    })
    .map((pairs) => pairs.map(([name, value]) => `${escape(name)}=${escape(value)}`).join('&'));
const escape = (value: string) => encodeURIComponent(value.toWellFormed());

const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  text,
  fc.constantFrom<unknown>(1e308, -0, 2 ** 53, [], {}, { __proto__: null }, [[[[]]]], true, null),
  fc.nat(400).map((depth) => JSON.parse(`${'['.repeat(depth)}0${']'.repeat(depth)}`) as unknown),
);

/** The row's own example with one member replaced, added or left out. */
const wrongBody = (route: Route) => {
  const example = (route.example.request ?? {}) as Record<string, unknown>;
  const name = fc.oneof(fc.constantFrom('metadata', 'space', 'filename', ...Object.keys(example)), text);
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(name, strange).map(([key, value]) => json({ ...example, [key]: value })) },
    { weight: 1, arbitrary: fc.tuple(name, name, strange).map(([a, b, c]) => json({ ...example, [a]: { [b]: c } })) },
    { weight: 1, arbitrary: strange.map(json) },
    { weight: 1, arbitrary: fc.nat(60).map((length) => json(example).subarray(0, length)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  );
};

const part = fc
  .record({
    name: fc.oneof(fc.constantFrom('file', 'metadata', 'space', 'variants', 'skip_processing', 'size_bytes'), text),
    filename: fc.option(text),
    value: fc.oneof(
      text,
      strange.map((value) => JSON.stringify(value) ?? ''),
    ),
  })
  .map(({ name, filename, value }) => {
    const disposition = `form-data; name="${name}"${filename === null ? '' : `; filename="${filename}"`}`;
    return `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n\r\n${value}\r\n`;
  });
const multipart = fc
  .tuple(fc.array(part, { maxLength: 6 }), fc.constantFrom(`--${BOUNDARY}--\r\n`, '', '--', `--${BOUNDARY}`))
  .map(([parts, end]) => Buffer.from(parts.join('') + end));

/** Header values that HTTP allows: Node's client sends no others; the raw requests of the spec do. */
const headerValue = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 400 }).map((value) => value.replaceAll(/[^\x20-\x7e]/g, '')),
  fc.constantFrom(
    '',
    'ApiKey',
    'ApiKey x',
    'Bearer a.b.c',
    'application/json; charset=utf-7',
    'gzip',
    'bytes=0-',
    '*/*',
  ),
);
const headerName = fc.constantFrom(
  'idempotency-key',
  'x-request-id',
  'content-type',
  'content-encoding',
  'traceparent',
  'origin',
  'authorization',
  'accept',
  'range',
  'if-none-match',
  'cookie',
  'x-forwarded-for',
  'access-control-request-method',
);

const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE');

function requestTo(route: Route, authorization: string): fc.Arbitrary<FuzzRequest> {
  const example = (route.body ?? route.streamedBody) ? json(route.example.request ?? {}) : null;
  const headers = { authorization, ...(example && { 'content-type': 'application/json' }) };
  const right = fc.record({ path: pathOf(route) });
  const one = (wrong: fc.Arbitrary<Partial<FuzzRequest>>) =>
    fc
      .tuple(right, wrong)
      .map(([base, change]) => ({ method: route.method, headers, body: example, ...base, ...change }));
  const wrongHeaders = fc
    .array(fc.tuple(headerName, headerValue), { minLength: 1, maxLength: 3 })
    .map((pairs) => ({ headers: { ...headers, ...Object.fromEntries(pairs) } }));
  const uploadHeaders = { ...headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  return fc.oneof(
    one(fc.constant({})),
    one(fc.tuple(pathOf(route), query(route)).map(([path, search]) => ({ path: `${path}?${search}` }))),
    one(fc.tuple(pathOf(route), segment).map(([path, more]) => ({ path: `${path}/${more}` }))),
    one(wrongHeaders),
    one(method.map((name) => ({ method: name }))),
    ...((route.body ?? route.streamedBody) ? [wrongBody(route), wrongBody(route)] : []).map((body) =>
      one(body.map((bytes) => ({ body: bytes }))),
    ),
    ...('multipart' in route && route.multipart
      ? [one(multipart.map((body) => ({ body, headers: uploadHeaders }))), one(fc.constant({ headers: uploadHeaders }))]
      : []),
  );
}

/** Every row of the table comes about as often as any other. */
export function fuzzRequests(authorization: string, count: number, seed: number): FuzzRequest[] {
  const rows = routeTable.filter((route) => route.name !== 'getDocsAsset');
  return fc.sample(fc.oneof(...rows.map((route) => requestTo(route, authorization))), { numRuns: count, seed });
}

/** Bytes that no HTTP client would send, each the beginning of a connection. */
export function fuzzBytes(authorization: string, count: number, seed: number): Buffer[] {
  const head = `POST /v1/search HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n`;
  const framing = fc.constantFrom(
    'Content-Length: 3\r\n',
    'Content-Length: -1\r\n',
    'Content-Length: 1\r\nContent-Length: 2\r\n',
    '',
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n',
    'Expect: 200-no\r\n',
    'X: \0\r\n',
    ' folded: x\r\n',
    ': no name\r\n',
    'Upgrade: h2c\r\nConnection: Upgrade\r\n',
  );
  const tail = fc.oneof(text, fc.constantFrom('{}', 'ffffffffffffffffff\r\n', '-1\r\n\r\n', '0\r\n\r\n', '5\r\nab'));
  const bytes = fc.oneof(
    fc.tuple(framing, tail).map(([lines, rest]) => Buffer.from(`${head}${lines}\r\n${rest}`)),
    fc.uint8Array({ minLength: 1, maxLength: 300 }).map((random) => Buffer.from(random)),
    text.map((target) => Buffer.from(`GET /${target} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n\r\n`)),
    text.map((value) => Buffer.from(`GET /v1/files HTTP/1.1\r\nHost: a\r\nX-Strange: ${value}\r\n\r\n`)),
  );
  return fc.sample(bytes, { numRuns: count, seed });
}
