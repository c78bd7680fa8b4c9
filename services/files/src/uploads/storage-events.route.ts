// `POST /storage-events` on the private port receives S3 event notifications from the object store, as MinIO's webhook target and
// our own store send them (https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html). They may
// be lost: the worker of pending uploads then finds the bytes.
import { parseSourceKey } from '@kiln/contracts';
import type { InternalRoute, Logger } from '@kiln/platform';
import { timingSafeEqual, createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { ReceiveUpload } from './receive-upload.usecase.js';

const BODY_BYTES_MAX = 1_048_576;

const notificationSchema = z.object({
  Records: z
    .array(z.object({ eventName: z.string(), s3: z.object({ object: z.object({ key: z.string() }) }) }))
    .max(1_000),
});

/**
 * Returns null when the body is too large. It reads the body to its end all the same, because a store that cannot finish sending
 * does not read the answer.
 */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_BYTES_MAX) chunks.push(chunk);
  }
  return size > BODY_BYTES_MAX ? null : Buffer.concat(chunks).toString('utf8');
}

const digest = (text: string) => createHash('sha256').update(text).digest();

function sameToken(given: string | undefined, token: string): boolean {
  return timingSafeEqual(digest(given ?? ''), digest(`Bearer ${token}`));
}

function parseNotification(body: string) {
  try {
    return notificationSchema.safeParse(JSON.parse(body));
  } catch {
    return notificationSchema.safeParse(null);
  }
}

/** Keys in notifications are form-encoded: `+` is a space. A malformed key becomes empty, which matches no object. */
function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return '';
  }
}

export function storageEventsRoute(token: string, receiveUpload: ReceiveUpload, logger: Logger): InternalRoute {
  return async (request, response) => {
    if (!sameToken(request.headers.authorization, token)) return void response.writeHead(401).end();
    const body = await readBody(request);
    if (body === null) return void response.writeHead(413).end();
    const parsed = parseNotification(body);
    if (!parsed.success) return void response.writeHead(400).end();
    for (const record of parsed.data.Records) {
      const source = record.eventName.includes('ObjectCreated')
        ? parseSourceKey(decodeKey(record.s3.object.key))
        : null;
      if (!source) continue;
      try {
        await receiveUpload.execute(source.tenantId, source.fileId);
      } catch (error) {
        logger.warn(
          { err: error, fileId: source.fileId },
          'Recording an arrival failed; the next check of pending uploads will find it',
        );
      }
    }
    response.writeHead(204).end();
  };
}
