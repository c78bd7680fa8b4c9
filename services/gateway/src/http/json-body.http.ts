// Reads a JSON body: at most 1 MiB unless its route permits more, not too slowly, and only if its Content-Type is JSON.
import { badRequest, CodedError } from '@kiln/contracts';
import type { Request } from 'express';
import { pipeline, type Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { arrivingBody } from './arriving-body.http.js';

export const JSON_BYTES_MAX = 1024 * 1024;

/** Bytes that are not UTF-8 are an error: if they were replaced, a filename would differ from the one that the caller has sent. */
const FATAL = { fatal: true };

const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export const hasNoBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

/**
 * Returns the most bytes that the decoded body can have. Throws BAD_REQUEST or PAYLOAD_TOO_LARGE if the headers are enough to
 * refuse it.
 */
export function expectedBytesMax(request: Request, bytesMax: number): number {
  if (hasNoBody(request)) throw badRequest('The request needs a JSON body.');
  if (!request.is('application/json')) throw badRequest('Content-Type must be application/json.');
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw badRequest('The body must be UTF-8.');
  const encoding = encodingOf(request);
  if (encoding !== 'identity' && !Object.hasOwn(DECODERS, encoding))
    throw badRequest('Content-Encoding must be identity, gzip, deflate or br.');
  const length = request.headers['content-length'];
  if (length === undefined || encoding !== 'identity') return bytesMax;
  if (Number(length) > bytesMax) throw tooLong(bytesMax);
  return Number(length);
}

/** Returns the decoded bytes, for which `heldBytes` are held. Throws BAD_REQUEST or PAYLOAD_TOO_LARGE. */
export async function readBytes(
  request: Request,
  { bytesMax, heldBytes }: { bytesMax: number; heldBytes: number },
): Promise<Buffer> {
  const body = arrivingBody(request, { heldBytes: () => heldBytes });
  const decoder = DECODERS[encodingOf(request)]?.();
  const decoded = decoder ? pipeline(body, decoder, () => undefined) : body;
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of decoded as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > bytesMax) break;
      pieces.push(piece);
    }
  } catch (error) {
    throw error instanceof CodedError ? error : badRequest('The body could not be read to its end.');
  }
  if (length > bytesMax) throw tooLong(bytesMax);
  return Buffer.concat(pieces);
}

/** Throws BAD_REQUEST. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw badRequest('The request needs a JSON body.');
  try {
    return JSON.parse(new TextDecoder('utf-8', FATAL).decode(bytes)) as unknown;
  } catch {
    throw badRequest('The body is not valid JSON.');
  }
}

const encodingOf = ({ headers }: Request): string => (headers['content-encoding'] ?? 'identity').toLowerCase();

const tooLong = (bytesMax: number): CodedError =>
  new CodedError('PAYLOAD_TOO_LARGE', `A JSON body may have at most ${bytesMax} bytes.`);
