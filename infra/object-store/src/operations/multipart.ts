// Multipart uploads: create, parts, complete, abort.
import { UNSIGNED_PAYLOAD } from '../auth/signature.js';
import type { UploadDescription } from '../disk/multipart-uploads.js';
import { announce, answerEmpty, answerXml, quotedEtag, type Operation, type OperationContext } from '../operation.js';
import { openPayload, readTextPayload } from '../payload/payload.js';
import { integerQuery } from '../request.js';
import { S3Error } from '../s3-errors.js';
import { listOf, parseXml, recordOf, textOf } from '../xml.js';
import { writeCondition } from './conditions.js';
import { openCopySource } from './copy-source.js';
import { objectHeaders } from './object-headers.js';
import { slowAnswer } from './slow-answer.js';
import { copyResult } from './write-object.js';

const PART_NUMBER_MAX = 10_000;

export const createMultipartUpload: Operation = async ({ request, services }) => {
  const { bucket, key } = request;
  await services.buckets.get(bucket);
  const headers = objectHeaders(request);
  const uploadId = await services.uploads.create({ bucket, key, headers, initiatedMs: services.now() });
  answerXml(request, 'InitiateMultipartUploadResult', { Bucket: bucket, Key: key, UploadId: uploadId });
};

export const uploadPart: Operation = async (context) => {
  const { request, auth, services } = context;
  const upload = await uploadOf(context);
  const { pieces, sizeBytes } = openPayload(request, auth, services.limits.putBytesMax);
  // A client that sends a hash wants its bytes verified, and can expect the MD5 as the tag.
  const unchecked = auth.payloadHash === UNSIGNED_PAYLOAD && request.header('content-md5') === undefined;
  const body = { pieces, sizeBytesMax: sizeBytes, tag: unchecked ? 'random' : 'md5' } as const;
  const part = await services.uploads.putPart(upload, partNumberOf(context), body, services.now());
  services.metrics.add('kiln_store_received_bytes_total', part.sizeBytes);
  answerEmpty(request, 200, { ETag: quotedEtag(part) });
};

export const uploadPartCopy: Operation = async (context) => {
  const { request, services } = context;
  const upload = await uploadOf(context);
  const source = await openCopySource(context);
  try {
    const part = await services.uploads.putPart(
      upload,
      partNumberOf(context),
      { pieces: source.pieces(), tag: 'md5' },
      services.now(),
    );
    answerXml(request, 'CopyPartResult', copyResult(part));
  } finally {
    await source.close();
  }
};

export const completeMultipartUpload: Operation = async (context) => {
  const { request, auth, services } = context;
  const { limits, uploads } = services;
  const bucket = await services.buckets.get(request.bucket);
  // The x-amz-checksum-* headers of this request describe the object, not the XML.
  const text = await readTextPayload(request, auth, limits.xmlBytesMax, []);
  const parts = listOf(parseXml(text, 'CompleteMultipartUpload')['Part']).map(parsePart);
  const result = (etag: string): Record<string, string> => ({
    Location: `/${request.bucket}/${request.key}`,
    Bucket: request.bucket,
    Key: request.key,
    ETag: quotedEtag({ etag }),
  });
  const earlier = uploads.completedEarlier(request.bucket, request.key, uploadIdOf(context));
  if (earlier !== undefined) {
    answerXml(request, 'CompleteMultipartUploadResult', result(earlier));
    return;
  }
  const upload = await uploadOf(context);
  const { partBytesMin, objectBytesMax } = limits;
  const completion = { parts, partBytesMin, objectBytesMax, nowMs: services.now() };
  const answer = slowAnswer(request);
  try {
    const publish = bucket.publish.bind(bucket);
    const object = await uploads.complete(
      upload,
      completion,
      (staged) => publish(staged, writeCondition(request)),
      () => answer.keepAlive(),
    );
    answer.finish('CompleteMultipartUploadResult', result(object.etag));
    announce(context, 'ObjectCreated:CompleteMultipartUpload', object);
  } catch (error) {
    answer.fail(error);
  }
};

export const abortMultipartUpload: Operation = async (context) => {
  await context.services.uploads.abort(await uploadOf(context));
  answerEmpty(context.request, 204);
};

function uploadIdOf({ request }: OperationContext): string {
  return request.query('uploadId') ?? '';
}

export async function uploadOf(context: OperationContext): Promise<UploadDescription> {
  const { request, services } = context;
  await services.buckets.get(request.bucket);
  return services.uploads.get(request.bucket, request.key, uploadIdOf(context));
}

function partNumberOf({ request }: OperationContext): number {
  const partNumber = integerQuery(request, 'partNumber', { default: 0, min: 1, max: PART_NUMBER_MAX + 1 });
  if (partNumber > PART_NUMBER_MAX) throw new S3Error('InvalidArgument', `partNumber must be 1 to ${PART_NUMBER_MAX}.`);
  return partNumber;
}

function parsePart(value: unknown): { partNumber: number; etag: string } {
  const part = recordOf(value);
  const partNumber = Number(textOf(part['PartNumber']).trim());
  if (!Number.isInteger(partNumber) || partNumber < 1 || partNumber > PART_NUMBER_MAX)
    throw new S3Error('MalformedXML');
  return { partNumber, etag: textOf(part['ETag']).trim().replaceAll('"', '').toLowerCase() };
}
