// Aborts unfinished multipart uploads. Otherwise S3 keeps and bills their parts forever.
import { AbortMultipartUploadCommand, ListMultipartUploadsCommand, type MultipartUpload } from '@aws-sdk/client-s3';
import { inParallel } from '../in-parallel.js';
import type { AbortStaleUploadsOptions, UnfinishedUpload } from '../object-store.port.js';
import { isMissing } from './s3-errors.js';
import type { S3Requests } from './s3-requests.js';
import { decodeKey } from './s3-shapes.js';

const ABORTS_IN_FLIGHT = 8;

/** Returns how many uploads were aborted. */
export async function abortStaleUploads(
  requests: S3Requests,
  { olderThan, keep, afterPage }: AbortStaleUploadsOptions,
): Promise<number> {
  let aborted = 0;
  for await (const page of uploadPages(requests)) {
    const stale = page.filter(({ Initiated }) => Initiated !== undefined && Initiated < olderThan);
    const named = stale.map(({ Key = '', UploadId = '' }) => ({ key: Key, uploadId: UploadId }));
    const kept = named.length === 0 ? undefined : await keep?.(named);
    const unwanted = named.filter(({ uploadId }) => kept?.has(uploadId) !== true);
    await inParallel(unwanted, ABORTS_IN_FLIGHT, async (upload) => {
      if (await abortUpload(requests, upload)) aborted += 1;
    });
    if ((await afterPage?.()) === false) break;
  }
  return aborted;
}

async function* uploadPages(requests: S3Requests): AsyncGenerator<MultipartUpload[]> {
  let markers: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
  while (markers !== undefined) {
    const command: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({
      Bucket: requests.bucket,
      EncodingType: 'url', // XML cannot represent every character of a key
      ...markers,
    });
    const page = await requests.run('listing unfinished uploads', (abortSignal) =>
      requests.client.send(command, { abortSignal }),
    );
    const decode = page.EncodingType === 'url' ? decodeKey : (key: string): string => key;
    yield (page.Uploads ?? []).map(({ Key = '', ...upload }) => ({ ...upload, Key: decode(Key) }));
    const { NextKeyMarker = '', NextUploadIdMarker } = page;
    markers = page.IsTruncated
      ? { KeyMarker: decode(NextKeyMarker), ...(NextUploadIdMarker && { UploadIdMarker: NextUploadIdMarker }) }
      : undefined;
  }
}

/** Returns false when the upload was completed or aborted in the meantime. */
export async function abortUpload(requests: S3Requests, { key, uploadId }: UnfinishedUpload): Promise<boolean> {
  const command = new AbortMultipartUploadCommand({ Bucket: requests.bucket, Key: key, UploadId: uploadId });
  return requests.run(`abandoning the upload of ${key}`, (abortSignal) =>
    requests.client.send(command, { abortSignal }).then(
      () => true,
      (error: unknown) => {
        if (isMissing(error)) return false;
        throw error;
      },
    ),
  );
}
