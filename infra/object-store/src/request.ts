// An S3 request, parsed from Node's request, as operations use it.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fromByteString, isUtf8, percentDecode, type ByteString } from './byte-string.js';
import { S3Error } from './s3-errors.js';

const KEY_BYTES_MAX = 1024;

/** Decoded query parameters in the order sent, as byte strings. */
export type QueryPairs = readonly (readonly [name: ByteString, value: ByteString])[];

export interface S3Request {
  readonly id: string;
  readonly method: string;
  /** Decoded path bytes, starting with `/`. */
  readonly path: ByteString;
  /** Empty for requests to the service. */
  readonly bucket: string;
  /** Empty for requests to a bucket. */
  readonly key: string;
  readonly queryPairs: QueryPairs;
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  /** The decoded text of a query parameter. */
  readonly query: (name: string) => string | undefined;
  readonly header: (name: string) => string | undefined;
}

export function parseRequest(raw: IncomingMessage, response: ServerResponse): S3Request {
  const url = raw.url ?? '/';
  const queryAt = url.indexOf('?');
  const path = percentDecode(queryAt < 0 ? url : url.slice(0, queryAt));
  if (!path.startsWith('/') || !isUtf8(path)) throw new S3Error('InvalidURI');
  const keyAt = path.indexOf('/', 1);
  const keyBytes = keyAt < 0 ? '' : path.slice(keyAt + 1);
  if (keyBytes.length > KEY_BYTES_MAX) throw new S3Error('KeyTooLongError');
  const queryPairs = queryAt < 0 ? [] : parseQuery(url.slice(queryAt + 1));
  const query = new Map(queryPairs.map(([name, value]) => [fromByteString(name), fromByteString(value)]));
  return {
    id: randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase(),
    method: raw.method ?? 'GET',
    path,
    bucket: fromByteString(keyAt < 0 ? path.slice(1) : path.slice(1, keyAt)),
    key: fromByteString(keyBytes),
    queryPairs,
    raw,
    response,
    query: (name) => query.get(name),
    header: (name) => headerOf(raw, name),
  };
}

function parseQuery(text: string): QueryPairs {
  const decode = (part: string): ByteString => percentDecode(part.replaceAll('+', ' '));
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      return at < 0 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))];
    });
}

function headerOf(raw: IncomingMessage, name: string): string | undefined {
  const value = raw.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

/** An integer query parameter within bounds, or its default when absent. */
export function integerQuery(
  request: S3Request,
  name: string,
  bounds: { default: number; min: number; max: number },
): number {
  const text = request.query(name);
  if (text === undefined || text === '') return bounds.default;
  const value = Number(text);
  if (!Number.isInteger(value) || value < bounds.min) throw new S3Error('InvalidArgument', `${name} is not valid.`);
  return Math.min(value, bounds.max);
}
