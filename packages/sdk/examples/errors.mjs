// Shows what errors contain, and how requests end early: node errors.mjs
import { Kiln, KilnApiError, KilnTimeoutError, NotFoundError } from '@kiln/sdk';

const kiln = new Kiln({
  baseUrl: process.env.KILN_URL,
  apiKey: process.env.KILN_API_KEY,
  timeoutMs: 30_000, // of each attempt
  deadlineMs: 120_000, // of all attempts
  maxRetries: 5,
});

try {
  await kiln.files.get('file_01h455vb4pex5vsknk084sn02q');
} catch (error) {
  if (error instanceof NotFoundError) console.log(`${error.code}: ${error.message}`);
  else if (error instanceof KilnApiError) console.error(`${error.status}, request ${error.requestId}`);
  else throw error;
}

try {
  await kiln.organization.getMe({ timeoutMs: 0, maxRetries: 0 });
} catch (error) {
  if (error instanceof KilnTimeoutError)
    console.log(`${error.code}: a retry ${error.retryable ? 'can' : 'cannot'} help`);
}

const controller = new AbortController();
controller.abort(new Error('the user has left'));
await kiln.organization.getMe({ signal: controller.signal }).catch((error) => console.log(error.message));
