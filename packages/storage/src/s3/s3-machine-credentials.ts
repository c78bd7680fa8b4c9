// Gets temporary credentials for the AWS role of this machine or pod: an EC2 instance, an ECS task or an EKS service account.
// https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { within } from '@kiln/resilience';
import { StorageError } from '../storage.errors.js';
import type { S3Keys } from './s3-client.js';

const ACTION = 'getting the credentials of this machine';

/** Each call returns cached keys until shortly before they expire. Throws `unavailable`, because AWS may give credentials later. */
export function machineCredentials(timeoutMs: number): () => Promise<S3Keys> {
  const find = defaultProvider();
  const late = () => {
    throw new StorageError('unavailable', `${ACTION}: no answer within ${timeoutMs} ms`, { retryable: true });
  };
  const none = (cause: unknown) => {
    const advice = 'give it a role, or set KILN_STORAGE_ACCESS_KEY_ID and KILN_STORAGE_SECRET_ACCESS_KEY';
    throw new StorageError('unavailable', `${ACTION}: AWS gives it none; ${advice}`, { cause, retryable: true });
  };
  return () => within(timeoutMs, find().catch(none), late);
}
