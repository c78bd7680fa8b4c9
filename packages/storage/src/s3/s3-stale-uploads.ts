// Multipart uploads that nobody finished: S3 keeps and bills their parts for ever unless they are aborted.
import { AbortMultipartUploadCommand, ListMultipartUploadsCommand, type MultipartUpload } from '@aws-sdk/client-s3';
import { isMissing } from './s3-errors.js';
import type { S3Requests } from './s3-requests.js';
import { decodeKey } from './s3-shapes.js';

/** Answers how many were given up. */
export async function abortStaleUploads(requests: S3Requests, olderThan: Date): Promise<number> {
  let aborted = 0;
  for await (const { Key, UploadId, Initiated } of uploads(requests)) {
    if (Key === undefined || UploadId === undefined || Initiated === undefined || Initiated >= olderThan) continue;
    aborted += await abort(requests, Key, UploadId);
  }
  return aborted;
}

async function* uploads(requests: S3Requests): AsyncGenerator<MultipartUpload> {
  let markers: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
  while (markers !== undefined) {
    const command: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({
      Bucket: requests.bucket,
      EncodingType: 'url', // XML cannot carry every character a key may hold
      ...markers,
    });
    const page = await requests.run('listing unfinished uploads', (abortSignal) =>
      requests.client.send(command, { abortSignal }),
    );
    const decode = page.EncodingType === 'url' ? decodeKey : (key: string): string => key;
    for (const upload of page.Uploads ?? []) {
      yield { ...upload, ...(upload.Key !== undefined && { Key: decode(upload.Key) }) };
    }
    markers = page.IsTruncated
      ? {
          KeyMarker: decode(page.NextKeyMarker ?? ''),
          ...(page.NextUploadIdMarker && { UploadIdMarker: page.NextUploadIdMarker }),
        }
      : undefined;
  }
}

/** 0 for one that was finished or given up meanwhile. */
async function abort(requests: S3Requests, Key: string, UploadId: string): Promise<number> {
  const command = new AbortMultipartUploadCommand({ Bucket: requests.bucket, Key, UploadId });
  return requests.run(`abandoning the upload of ${Key}`, (abortSignal) =>
    requests.client.send(command, { abortSignal }).then(
      () => 1,
      (error: unknown) => {
        if (isMissing(error)) return 0;
        throw error;
      },
    ),
  );
}
