// Limits the size of responses that the SDK parses in memory, since an external store may respond without end. Objects are streamed, so
// their size is not limited.
import type { S3Client } from '@aws-sdk/client-s3';
import { pipeline, Readable, Transform } from 'node:stream';
import { StorageError } from '../storage.errors.js';

/** Twice the size of the largest page: 1,000 keys of 1,024 bytes, each byte encoded as three. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;

export function limitAnswers(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (request) => {
        const result = await next(request);
        const response = result.response as { body?: unknown };
        if (commandName !== 'GetObjectCommand' && response.body instanceof Readable)
          response.body = limited(response.body);
        return result;
      },
    // This position is next to the network, before the response is parsed.
    { step: 'deserialize', priority: 'low', name: 'limitAnswers' },
  );
}

function limited(body: Readable): Readable {
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= ANSWER_BYTES_MAX) return done(null, chunk);
      done(new StorageError('invalid', `reading the response: it exceeds ${ANSWER_BYTES_MAX} bytes`));
    },
  });
  // The reader of the stream gets the error.
  return pipeline(body, counting, () => undefined);
}
