// Converts what an adapter of packages/storage throws to a BucketError for the owner of the bucket.
import type { BucketErrorCode } from '@kiln/contracts';
import { codeOf, connectionFailureOf, errorChain, type ConnectionFailureKind } from '@kiln/outbound';
import { ListingNotProvenError, NoOwnCredentialsError, ObjectArchivedError, StorageError } from '@kiln/storage';
import { BucketError } from './domain/bucket-error.js';
import { providerAnswerOf } from './domain/provider-answer.js';

const REASON_LENGTH_MAX = 300;
const STORAGE_CLASS = /^\w{1,64}$/;

/** One error of the chain of causes, in the same form for every SDK. */
interface Link {
  thrown: Error;
  code: string;
  name: string;
  message: string;
}

interface GoogleError {
  /** The reason, without the text that the SDK puts before it. */
  response?: { data?: { error?: { message?: unknown } } };
}

function linkOf(thrown: Error): Link {
  const reason = (thrown as GoogleError).response?.data?.error?.message;
  return {
    thrown,
    code: codeOf(thrown),
    name: thrown.name,
    message: typeof reason === 'string' ? reason : thrown.message,
  };
}

/** Every other failure is `unreachable`. */
const CODES: Partial<Record<ConnectionFailureKind, BucketErrorCode>> = {
  not_allowed: 'endpoint_not_allowed',
  connect_timeout: 'timeout',
  answer_timeout: 'timeout',
};

const BUCKET_MISSING = new Set(['NoSuchBucket', 'ContainerNotFound', 'NotFound']);

/** Removes `secrets` from the provider's text. */
export function bucketErrorOf(error: unknown, secrets: readonly string[]): BucketError {
  if (error instanceof BucketError) return error;
  const chain = errorChain(error).map(linkOf);
  return (
    notConfigured(error, chain) ??
    notProven(error, chain) ??
    archived(error, chain) ??
    connectionFailed(error) ??
    providerError(error, chain, (text) => sanitized(text, secrets))
  );
}

/** The same for the queue of a bucket. */
export function queueErrorOf(error: unknown, secrets: readonly string[]): BucketError {
  const { code, message, retryable, retryAfterSeconds } = bucketErrorOf(error, secrets);
  const isMissing = code === 'bucket_not_found';
  const reason = isMissing ? message.replace('There is no such bucket', 'There is no such queue') : message;
  return new BucketError(isMissing ? 'queue_not_found' : code, `The queue of notifications cannot be read. ${reason}`, {
    cause: error,
    retryable,
    retryAfterSeconds,
  });
}

function notConfigured(error: unknown, chain: readonly Link[]): BucketError | null {
  if (!chain.some(({ thrown }) => thrown instanceof NoOwnCredentialsError)) return null;
  const message =
    'The operator has given this installation of Kiln no AWS credentials, so it cannot assume a role. ' +
    'Connect with an access key, or ask the operator.';
  return new BucketError('not_configured', message, { cause: error });
}

/** The reason comes from packages/storage and contains no text of the response. */
function notProven(error: unknown, chain: readonly Link[]): BucketError | null {
  const listing = chain.find(({ thrown }) => thrown instanceof ListingNotProvenError);
  const message = `The store answered, but ${listing?.message}.`;
  return listing ? new BucketError('listing_incomplete', message, { cause: error }) : null;
}

function archived(error: unknown, chain: readonly Link[]): BucketError | null {
  const found = chain.map(({ thrown }) => thrown).find((thrown) => thrown instanceof ObjectArchivedError);
  if (!found) return null;
  const where = STORAGE_CLASS.test(found.archivedIn) ? ` (${found.archivedIn})` : '';
  const message = `The object is archived${where}. Restore it in the bucket, then try again.`;
  return new BucketError('object_archived', message, { cause: error });
}

function connectionFailed(error: unknown): BucketError | null {
  const failure = connectionFailureOf(error);
  if (!failure) return null;
  const { kind, message, retryable } = failure;
  return new BucketError(CODES[kind] ?? 'unreachable', message, { cause: error, retryable });
}

function providerError(error: unknown, chain: readonly Link[], clean: (text: string) => string): BucketError {
  const vendor = chain.find(({ thrown }) => !(thrown instanceof StorageError)) ?? chain[0];
  const reason = clean(vendor ? reasonOf(vendor) : '');
  const messageOf = (what: string) => (reason === '' ? `${what}.` : `${what}: ${reason}`);
  const permanent = (code: BucketErrorCode, what: string) => new BucketError(code, messageOf(what), { cause: error });
  const code = error instanceof StorageError ? error.code : 'unavailable';
  if (code === 'not_found' || (vendor && (BUCKET_MISSING.has(vendor.code) || BUCKET_MISSING.has(vendor.name)))) {
    return permanent('bucket_not_found', 'There is no such bucket');
  }
  if (code === 'access_denied') return permanent('access_denied', 'The provider refused the credentials');
  if (code === 'invalid') return permanent('refused', 'The provider refused the request');
  const answer = chain.map(({ thrown }) => providerAnswerOf(thrown)).find((given) => given !== undefined);
  const what = answer ? `The provider answered ${answer.status}` : 'The provider could not answer';
  const { retryAfterSeconds } = answer ?? {};
  return new BucketError('unreachable', messageOf(what), { cause: error, retryable: true, retryAfterSeconds });
}

/** The provider's reason, without the text that the SDK adds. */
function reasonOf({ thrown, message }: Link): string {
  const reason = thrown instanceof StorageError ? message.replace(/^.*?: /, '') : message;
  // The SDKs' texts for an empty body.
  return /^(UnknownError|Unknown|Error|char '.*)$/.test(reason) ? '' : reason;
}

/** One line of printable text without secrets. */
function sanitized(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, '[redacted]');
  clean = clean
    .replace(/[\r\n][^]*$/, '')
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim();
  return clean.length > REASON_LENGTH_MAX ? `${clean.slice(0, REASON_LENGTH_MAX)}…` : clean;
}
