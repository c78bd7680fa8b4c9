// GetObject and HeadObject.
import { pipeline } from 'node:stream/promises';
import type { ObjectDescription } from '../disk/object-file.js';
import { quotedEtag, type Operation, type OperationContext } from '../operation.js';
import { S3Error } from '../s3-errors.js';
import { checkReadConditions, httpDate } from './conditions.js';
import { parseRange } from './range.js';

const READ_BYTES = 256 * 1024;
/** Query parameters that replace a header of the response. */
const OVERRIDES = [
  'content-type',
  'content-language',
  'expires',
  'cache-control',
  'content-disposition',
  'content-encoding',
] as const;

export const getObject: Operation = async (context) => {
  const { request, services } = context;
  const bucket = await services.buckets.get(request.bucket);
  const { handle, description, data } = await bucket.open(request.key);
  try {
    const { start, end } = answerHead(context, description);
    if (request.method === 'HEAD' || end < start) {
      request.response.end();
      return;
    }
    if (data !== undefined) {
      request.response.end(data.subarray(start, end + 1));
      services.metrics.add('kiln_store_sent_bytes_total', end - start + 1);
      return;
    }
    const stream = handle.createReadStream({ start, end, highWaterMark: READ_BYTES, autoClose: false });
    await pipeline(stream, request.response);
    services.metrics.add('kiln_store_sent_bytes_total', end - start + 1);
  } finally {
    await handle.close();
  }
};

/** The same response without the body, as HTTP requires. */
export const headObject: Operation = getObject;

function answerHead({ request }: OperationContext, object: ObjectDescription): { start: number; end: number } {
  checkReadConditions(request, object);
  const range = parseRange(request.header('range'), object.sizeBytes);
  const { start, end } = range ?? { start: 0, end: object.sizeBytes - 1 };
  const headers: Record<string, string | number> = { ...object.headers };
  for (const name of OVERRIDES) {
    const value = request.query(`response-${name}`);
    if (value === undefined) continue;
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw new S3Error('InvalidArgument', `response-${name} is not a header value.`);
    headers[name] = value;
  }
  headers['Content-Length'] = end - start + 1;
  headers['ETag'] = quotedEtag(object);
  headers['Last-Modified'] = httpDate(object);
  headers['Accept-Ranges'] = 'bytes';
  if (range !== undefined) headers['Content-Range'] = `bytes ${start}-${end}/${object.sizeBytes}`;
  request.response.writeHead(range === undefined ? 200 : 206, headers);
  return { start, end };
}
