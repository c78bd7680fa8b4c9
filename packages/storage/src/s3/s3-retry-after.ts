// Keeps the SDK from waiting for Retry-After within a call, which may take longer than the caller waits. The SDK then retries after its own
// short delays, and the value of the header is kept for callers that retry later.
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
    // This position is next to the network, before the response is parsed.
    { step: 'deserialize', priority: 'low', name: 'keepRetryAfter' },
  );
}
