// Reads a JSON body: at most 1 MiB unless its route permits more, within a time, and only when it says that it is JSON.
import { badRequest, CodedError } from '@kiln/contracts';
import express, { type Request, type Response } from 'express';

export const JSON_BYTES_MAX = 1024 * 1024;
const ARRIVAL_TIMEOUT_MS = 15_000;

/** The parsed body. Throws BAD_REQUEST or PAYLOAD_TOO_LARGE. */
export async function readJsonBody(
  request: Request,
  response: Response,
  bytesMax: number = JSON_BYTES_MAX,
): Promise<unknown> {
  if (hasNoBody(request)) throw badRequest('The request needs a JSON body.');
  if (!request.is('application/json')) throw badRequest('Content-Type must be application/json.');
  const parse = express.json({ limit: bytesMax, strict: false, type: () => true });
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(badRequest('The body did not arrive in time.')), ARRIVAL_TIMEOUT_MS);
      parse(request, response, (error?: unknown) =>
        error === undefined ? resolve() : reject(refusalOf(error, bytesMax)),
      );
    });
  } finally {
    clearTimeout(timer);
  }
  const body: unknown = request.body;
  if (body === undefined) throw badRequest('The request needs a JSON body.');
  return body;
}

export const hasNoBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

function refusalOf(error: unknown, bytesMax: number): CodedError {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') {
    return new CodedError('PAYLOAD_TOO_LARGE', `A JSON body may have at most ${bytesMax} bytes.`);
  }
  if (type === 'entity.parse.failed') return badRequest('The body is not valid JSON.');
  if (type === 'charset.unsupported') return badRequest('The body must be UTF-8.');
  if (type === 'encoding.unsupported') return badRequest('Content-Encoding must be identity, gzip, deflate or br.');
  return badRequest('The body could not be read to its end.');
}
