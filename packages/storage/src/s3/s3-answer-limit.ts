// A store that somebody else names may answer without end, and the SDK gathers what it parses in memory. Objects are streamed, and
// may be as long as they like.
import type { S3Client } from '@aws-sdk/client-s3';
import { pipeline, Readable, Transform } from 'node:stream';
import { StorageError } from '../storage.errors.js';

/** Twice what the longest page takes: 1,000 keys of 1,024 bytes, each written as three. */
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
    // Nearest to the network: before anything is parsed.
    { step: 'deserialize', priority: 'low', name: 'limitAnswers' },
  );
}

function limited(body: Readable): Readable {
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= ANSWER_BYTES_MAX) return done(null, chunk);
      done(new StorageError('invalid', `the store answered with more than ${ANSWER_BYTES_MAX} bytes`));
    },
  });
  // Its error is that of the stream that is read.
  return pipeline(body, counting, () => undefined);
}
