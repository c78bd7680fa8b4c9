// The SDK obeys Retry-After by waiting within the call, past the time of a caller who waits for the answer. Here it keeps to its own
// short pauses, and the header is left for those who try again later.
import type { S3Client } from '@aws-sdk/client-s3';
import { KEPT_RETRY_AFTER } from '../storage.errors.js';

export function keepRetryAfter(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (request) => {
      const result = await next(request);
      const { headers } = result.response as { headers?: Record<string, string> };
      for (const [name, value] of Object.entries(headers ?? {})) {
        if (!headers || name.toLowerCase() !== 'retry-after') continue;
        delete headers[name];
        headers[KEPT_RETRY_AFTER] = value;
      }
      return result;
    },
    // Nearest to the network: before anything is parsed.
    { step: 'deserialize', priority: 'low', name: 'keepRetryAfter' },
  );
}
