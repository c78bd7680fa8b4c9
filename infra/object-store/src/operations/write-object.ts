// PutObject, CopyObject and DeleteObject.
import { stageObject, type ObjectDescription, type StagedFile } from '../disk/object-file.js';
import { SMALL_BYTES_MAX, stageSmallObject } from '../disk/small-object.js';
import { announce, answerEmpty, answerXml, quotedEtag, type Operation, type OperationContext } from '../operation.js';
import { openPayload } from '../payload/payload.js';
import { S3Error } from '../s3-errors.js';
import { writeCondition } from './conditions.js';
import { openCopySource } from './copy-source.js';
import { objectHeaders } from './object-headers.js';

export const putObject: Operation = async (context) => {
  const { request, auth, services } = context;
  const bucket = await services.buckets.get(request.bucket);
  const { pieces, sizeBytes } = openPayload(request, auth, services.limits.putBytesMax);
  const staged = await stage(context, pieces, sizeBytes, objectHeaders(request));
  await bucket.publish(staged, writeCondition(request));
  services.metrics.add('kiln_store_received_bytes_total', staged.description.sizeBytes);
  answerEmpty(request, 200, { ETag: quotedEtag(staged.description) });
  announce(context, 'ObjectCreated:Put', staged.description);
};

export const copyObject: Operation = async (context) => {
  const { request, services } = context;
  const bucket = await services.buckets.get(request.bucket);
  const source = await openCopySource(context);
  try {
    const replace = request.header('x-amz-metadata-directive') === 'REPLACE';
    const same = source.bucket === request.bucket && source.key === request.key;
    if (same && !replace) throw new S3Error('InvalidRequest', 'Copying an object onto itself needs new metadata.');
    const headers = replace ? objectHeaders(request) : source.object.headers;
    const staged = await stage(context, source.pieces(), source.object.sizeBytes, headers);
    await bucket.publish(staged, writeCondition(request));
    answerXml(request, 'CopyObjectResult', copyResult(staged.description));
    announce(context, 'ObjectCreated:Copy', staged.description);
  } finally {
    await source.close();
  }
};

export const deleteObject: Operation = async ({ request, services }) => {
  const bucket = await services.buckets.get(request.bucket);
  await bucket.delete(request.key);
  answerEmpty(request, 204);
};

export const copyResult = (
  object: Pick<ObjectDescription, 'etag' | 'lastModifiedMs'>,
): { LastModified: string; ETag: string } => ({
  LastModified: new Date(object.lastModifiedMs).toISOString(),
  ETag: quotedEtag(object),
});

function stage(
  { request, services }: OperationContext,
  pieces: AsyncIterable<Buffer>,
  sizeBytes: number,
  headers: Record<string, string>,
): Promise<StagedFile> {
  const { stagingFolder: folder, durable } = services.buckets;
  const stageWith = sizeBytes <= SMALL_BYTES_MAX ? stageSmallObject : stageObject;
  return stageWith(pieces, { folder, key: request.key, headers, durable, nowMs: services.now() });
}
