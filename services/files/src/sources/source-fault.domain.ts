// The error of a job whose bytes cannot be read from a connected bucket, by the error of the bucket. It is never a fault of the file.
import type { BucketErrorCode, SourceFaultCode } from '@kiln/contracts';

/** The owner must give Kiln access, again or for the first time. */
const UNAUTHORIZED = new Set<BucketErrorCode>(['access_denied', 'credentials_missing', 'not_configured']);

export const sourceFaultOf = (code: BucketErrorCode): SourceFaultCode =>
  UNAUTHORIZED.has(code) ? 'provider_unauthorized' : 'provider_unavailable';
