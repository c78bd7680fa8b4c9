// The JSON API: https://cloud.google.com/storage/docs/json_api/v1
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { ApiError } from './api-error.js';
import { answerMedia } from './media.js';
import type { GoogleObject } from './objects.js';
import type { Services } from './services.js';

type Handler = (call: Call) => Promise<void>;

interface Call extends Services {
  request: IncomingMessage;
  response: ServerResponse;
  bucket: string;
  key: string;
  query: URLSearchParams;
}

interface Route {
  method: string;
  path: RegExp;
  /** Parameters the documentation names and the adapter uses; any other is refused. */
  query: readonly string[];
  run: Handler;
}

const BUCKETS = /^\/storage\/v1\/b$/;
const OBJECT = /^\/storage\/v1\/b\/([^/]+)\/o\/([^/]+)$/;
const OBJECTS = /^\/storage\/v1\/b\/([^/]+)\/o$/;
const UPLOAD = /^\/upload\/storage\/v1\/b\/([^/]+)\/o$/;

const routes: readonly Route[] = [
  { method: 'POST', path: BUCKETS, query: ['project'], run: insertBucket },
  { method: 'GET', path: BUCKETS, query: ['project', 'fields', 'pageToken'], run: listBuckets },
  { method: 'GET', path: /^\/storage\/v1\/b\/([^/]+)$/, query: ['fields'], run: getBucket },
  { method: 'GET', path: OBJECT, query: ['alt', 'fields'], run: getObject },
  { method: 'DELETE', path: OBJECT, query: [], run: deleteObject },
  {
    method: 'GET',
    path: OBJECTS,
    query: ['prefix', 'delimiter', 'maxResults', 'pageToken', 'startOffset', 'fields'],
    run: listObjects,
  },
  { method: 'POST', path: UPLOAD, query: ['uploadType', 'name'], run: insertObject },
  { method: 'PUT', path: UPLOAD, query: ['uploadType', 'upload_id'], run: continueUpload },
  { method: 'DELETE', path: UPLOAD, query: ['uploadType', 'upload_id'], run: cancelUpload },
];

export async function serveJsonApi(
  services: Services,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const route = routes.find(({ method, path }) => method === request.method && path.test(url.pathname));
  if (route === undefined) throw new ApiError(404, `no such method: ${request.method} ${url.pathname}`);
  const unknown = [...url.searchParams.keys()].find((name) => !route.query.includes(name));
  if (unknown !== undefined) throw new ApiError(400, `Unknown parameter: ${unknown}`);
  const [, bucket = '', key = ''] = route.path.exec(url.pathname) ?? [];
  const [names, query] = [{ bucket: decodeURIComponent(bucket), key: decodeURIComponent(key) }, url.searchParams];
  await route.run({ ...services, ...names, query, request, response });
}

const resourceOf = ({ bucket, name, contentType, size, generation, updated }: GoogleObject): object => ({
  kind: 'storage#object',
  bucket,
  name,
  contentType,
  size: String(size),
  generation,
  updated: updated.toISOString(),
});

function answerJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(value));
}

async function insertBucket({ request, response, objects, query }: Call): Promise<void> {
  if (!query.get('project')) throw new ApiError(400, 'Required parameter: project');
  const { name } = JSON.parse(await text(request)) as { name: string };
  objects.addBucket(name);
  answerJson(response, { name });
}

/** Two to a page, so that callers have to request the next one. */
async function listBuckets({ response, objects, query }: Call): Promise<void> {
  if (!query.get('project')) throw new ApiError(400, 'Required parameter: project');
  const [after, names] = [query.get('pageToken') ?? '', objects.bucketNames().sort()];
  const left = names.filter((name) => name > after);
  const shown = left.slice(0, 2);
  const items = shown.map((name) => ({ name, location: 'EUROPE-WEST3' }));
  answerJson(response, {
    kind: 'storage#buckets',
    items,
    ...(left.length > shown.length && { nextPageToken: shown.at(-1) }),
  });
}

async function getBucket({ bucket, objects, response }: Call): Promise<void> {
  objects.bucket(bucket);
  answerJson(response, { name: bucket });
}

async function getObject({ bucket, key, objects, query, request, response }: Call): Promise<void> {
  const object = objects.get(bucket, key);
  if (query.get('alt') === 'media') await answerMedia(objects, object, request, response);
  else answerJson(response, resourceOf(object));
}

async function deleteObject({ bucket, key, objects, response }: Call): Promise<void> {
  await objects.delete(bucket, key);
  response.writeHead(204).end();
}

/** Items and prefixes count together; the names of both are after `startOffset`, which they may equal. */
async function listObjects({ bucket, objects, query, response }: Call): Promise<void> {
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? ''];
  const [from, after] = [
    query.get('startOffset') ?? '',
    Buffer.from(query.get('pageToken') ?? '', 'base64url').toString(),
  ];
  const resultsMax = Number(query.get('maxResults') ?? 1_000);
  if (!(resultsMax >= 1)) throw new ApiError(400, 'Invalid maxResults');
  const groupOf = (name: string): string | undefined => {
    const at = delimiter === '' ? -1 : name.indexOf(delimiter, prefix.length);
    return at < 0 ? undefined : name.slice(0, at + delimiter.length);
  };
  const names = [...objects.bucket(bucket).keys()].filter(
    (name) => name.startsWith(prefix) && compare(name, from) >= 0,
  );
  const entries = [...new Set(names.map((name) => groupOf(name) ?? name))].sort(compare);
  const later = entries.filter((entry) => after === '' || compare(entry, after) > 0);
  const page = later.slice(0, resultsMax);
  const isGroup = (entry: string): boolean => groupOf(entry) === entry;
  answerJson(response, {
    kind: 'storage#objects',
    items: page.filter((entry) => !isGroup(entry)).map((name) => resourceOf(objects.get(bucket, name))),
    prefixes: page.filter(isGroup),
    ...(later.length > page.length && { nextPageToken: Buffer.from(page.at(-1) ?? '').toString('base64url') }),
  });
}

async function insertObject({ bucket, objects, sessions, query, request, response, url }: Call): Promise<void> {
  const name = query.get('name');
  if (!name) throw new ApiError(400, 'Required parameter: name');
  if (query.get('uploadType') === 'resumable') {
    const contentType = String(request.headers['x-upload-content-type'] ?? 'application/octet-stream');
    const id = await sessions.begin(bucket, name, contentType);
    const location = `${url}/upload/storage/v1/b/${encodeURIComponent(bucket)}/o?uploadType=resumable&upload_id=${id}`;
    response.writeHead(200, { location }).end();
    return;
  }
  if (query.get('uploadType') !== 'media') throw new ApiError(400, 'Invalid uploadType');
  objects.bucket(bucket);
  const path = objects.newFile();
  await objects.append(path, request);
  answerJson(response, resourceOf(await objects.publish(bucket, name, String(request.headers['content-type']), path)));
}

async function continueUpload({ sessions, query, request, response }: Call): Promise<void> {
  const outcome = await sessions.put(query.get('upload_id') ?? '', request);
  if (typeof outcome !== 'number') answerJson(response, resourceOf(outcome));
  else response.writeHead(308, { ...(outcome > 0 && { range: `bytes=0-${outcome - 1}` }), 'content-length': 0 }).end();
}

async function cancelUpload({ sessions, query, response }: Call): Promise<void> {
  sessions.cancel(query.get('upload_id') ?? '');
  response.writeHead(499, 'Client Closed Request').end();
}

const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
