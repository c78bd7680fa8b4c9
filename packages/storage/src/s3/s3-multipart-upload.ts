// One S3 multipart upload: a few parts in flight, and nothing left in the bucket when anything fails.
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
  type CompletedPart,
  type S3Client,
} from '@aws-sdk/client-s3';
import { withDeadline } from '../deadline.js';
import { StorageError } from '../storage.errors.js';

/** Parts sent at the same time; memory is about this plus two, times the part size. */
const PARTS_IN_FLIGHT = 3;
export const PARTS_MAX = 10_000;
/** Stores assemble large objects while the client waits. */
const COMPLETE_TIMEOUT_MS = 300_000;

export interface MultipartTarget {
  client: S3Client;
  bucket: string;
  key: string;
  contentType: string;
  requestTimeoutMs: number;
  signal?: AbortSignal;
}

/** Uploads `parts`; `verify` sees the total before the object appears and may throw to keep it from appearing. */
export async function uploadParts(
  target: MultipartTarget,
  parts: AsyncIterable<Buffer>,
  verify: (sizeBytes: number) => void,
): Promise<{ sizeBytes: number; etag: string }> {
  const { client, bucket, key } = target;
  const created = await withDeadline(deadlineOf(target, 'starting the upload'), (abortSignal) =>
    client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: key, ContentType: target.contentType }), {
      abortSignal,
    }),
  );
  const uploadId = created.UploadId;
  if (uploadId === undefined) throw new StorageError('unavailable', 'the store gave no upload id', { retryable: true });
  try {
    const { completed, sizeBytes } = await sendParts(target, uploadId, parts);
    verify(sizeBytes);
    const command = new CompleteMultipartUploadCommand({
      Bucket: bucket,
      Key: key,
      UploadId: uploadId,
      MultipartUpload: { Parts: completed },
    });
    const done = await withDeadline(
      { ...deadlineOf(target, 'completing the upload'), timeoutMs: COMPLETE_TIMEOUT_MS },
      (abortSignal) => client.send(command, { abortSignal, requestTimeout: COMPLETE_TIMEOUT_MS }),
    );
    return { sizeBytes, etag: (done.ETag ?? '').replaceAll('"', '') };
  } catch (error) {
    await abandon(target, uploadId);
    throw error;
  }
}

async function sendParts(
  target: MultipartTarget,
  uploadId: string,
  parts: AsyncIterable<Buffer>,
): Promise<{ completed: CompletedPart[]; sizeBytes: number }> {
  const completed: CompletedPart[] = [];
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  let sizeBytes = 0;
  let partNumber = 0;
  try {
    for await (const part of parts) {
      partNumber += 1;
      sizeBytes += part.length;
      if (partNumber > PARTS_MAX) throw new StorageError('invalid', 'the body is too large: give sizeBytes up front');
      const slot = completed.length;
      completed.push({ PartNumber: partNumber });
      const send = async (number: number): Promise<void> => {
        try {
          completed[slot] = { PartNumber: number, ETag: await sendPart(target, uploadId, number, part) };
        } catch (error) {
          failure ??= { error };
        }
      };
      const sending = send(partNumber).finally(() => running.delete(sending));
      running.add(sending);
      if (running.size >= PARTS_IN_FLIGHT) await Promise.race(running);
      if (failure !== undefined) throw failure.error;
    }
  } finally {
    // A part still on its way would otherwise arrive after the abort and stay.
    await Promise.all(running);
  }
  if (failure !== undefined) throw failure.error;
  return { completed, sizeBytes };
}

async function sendPart(target: MultipartTarget, uploadId: string, partNumber: number, body: Buffer): Promise<string> {
  const { client, bucket, key } = target;
  const sent = await withDeadline(deadlineOf(target, `uploading part ${partNumber}`), (abortSignal) =>
    client.send(
      new UploadPartCommand({ Bucket: bucket, Key: key, UploadId: uploadId, PartNumber: partNumber, Body: body }),
      { abortSignal },
    ),
  );
  if (sent.ETag === undefined) throw new StorageError('unavailable', 'the store gave no part tag', { retryable: true });
  return sent.ETag;
}

/** Best effort: the first error matters to the caller, and stores expire forgotten uploads by lifecycle rules. */
async function abandon(target: MultipartTarget, uploadId: string): Promise<void> {
  const { client, bucket, key, requestTimeoutMs } = target;
  const command = new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId });
  await withDeadline({ timeoutMs: requestTimeoutMs, action: 'abandoning the upload' }, (abortSignal) =>
    client.send(command, { abortSignal }),
  ).catch(() => undefined);
}

const deadlineOf = (
  { requestTimeoutMs, signal }: MultipartTarget,
  action: string,
): { timeoutMs: number; signal?: AbortSignal; action: string } => ({
  timeoutMs: requestTimeoutMs,
  action,
  ...(signal && { signal }),
});
