// Converts what an adapter of packages/storage throws to a BucketError for the owner of the bucket.
import type { BucketErrorCode } from '@kiln/contracts';
import { ListingNotProvenError, NoOwnCredentialsError, StorageError } from '@kiln/storage';
import { BucketError } from './domain/bucket-error.js';
import { providerAnswerOf } from './provider-answer.js';

const REASON_LENGTH_MAX = 300;
const DEPTH_MAX = 6;

/** One error of the chain of causes, in the same form for every SDK. */
interface Link {
  thrown: Error;
  code: string;
  name: string;
  message: string;
}

interface VendorError {
  code?: unknown;
  /** Google's reason, without the text that the SDK puts before it. */
  response?: { data?: { error?: { message?: unknown } } };
}

function linkOf(thrown: Error): Link {
  const { code, response }: VendorError = thrown as VendorError;
  const reason = response?.data?.error?.message;
  return {
    thrown,
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : '',
    name: thrown.name,
    message: typeof reason === 'string' ? reason : thrown.message,
  };
}

/** The error and its causes, outermost first. Of an AggregateError, the first error. */
function chainOf(error: unknown): Link[] {
  const chain: Link[] = [];
  for (let current = error; current instanceof Error && chain.length < DEPTH_MAX; current = current.cause) {
    chain.push(linkOf(current));
    const [first] = current instanceof AggregateError ? (current.errors as unknown[]) : [];
    if (first instanceof Error) chain.push(linkOf(first));
  }
  return chain;
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The endpoint refused the connection.',
  ECONNRESET: 'The endpoint closed the connection before it answered.',
  EPIPE: 'The endpoint closed the connection before it answered.',
  ENOTFOUND: 'The name of the endpoint does not resolve.',
  EAI_AGAIN: 'The name of the endpoint does not resolve.',
  EHOSTUNREACH: 'The endpoint cannot be reached.',
  ENETUNREACH: 'The endpoint cannot be reached.',
  EPROTO: 'The endpoint does not speak TLS as it should.',
};

const TIMEOUTS = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ESOCKETTIMEDOUT', 'TimeoutError']);

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_CA|HOSTNAME_MISMATCH)/;

const BUCKET_MISSING = new Set(['NoSuchBucket', 'ContainerNotFound', 'NotFound']);

/** Removes `secrets` from the provider's text. */
export function bucketErrorOf(error: unknown, secrets: readonly string[]): BucketError {
  if (error instanceof BucketError) return error;
  const chain = chainOf(error);
  return (
    refusedByKiln(error, chain) ??
    notProven(error, chain) ??
    connectionFailed(error, chain) ??
    providerError(error, chain, (text) => sanitized(text, secrets))
  );
}

function refusedByKiln(error: unknown, chain: readonly Link[]): BucketError | null {
  if (chain.some(({ thrown }) => thrown instanceof NoOwnCredentialsError)) {
    const message =
      'The operator has given this installation of Kiln no AWS credentials, so it cannot assume a role. ' +
      'Connect with an access key, or ask the operator.';
    return new BucketError('not_configured', message, { cause: error });
  }
  const refused = chain.find(({ code }) => code === 'KILN_OUTBOUND_REFUSED');
  if (refused) {
    return new BucketError('endpoint_not_allowed', `The endpoint is refused: it ${refused.message}.`, {
      cause: error,
    });
  }
  const proxy = chain.find(({ code }) => code === 'KILN_OUTBOUND_PROXY');
  return proxy ? new BucketError('unreachable', proxy.message, { cause: error, retryable: true }) : null;
}

/** The reason comes from packages/storage and contains no text of the response. */
function notProven(error: unknown, chain: readonly Link[]): BucketError | null {
  const listing = chain.find(({ thrown }) => thrown instanceof ListingNotProvenError);
  const message = `The store answered, but ${listing?.message}.`;
  return listing ? new BucketError('listing_incomplete', message, { cause: error }) : null;
}

function connectionFailed(error: unknown, chain: readonly Link[]): BucketError | null {
  for (const { code, name, message } of chain) {
    if (CERTIFICATE.test(code)) {
      const message = `The certificate of the endpoint is not accepted (${code}).`;
      return new BucketError('unreachable', message, { cause: error });
    }
    const reason = UNREACHABLE[code] ?? (code.startsWith('ERR_SSL') ? UNREACHABLE['EPROTO'] : undefined);
    if (reason) return new BucketError('unreachable', reason, { cause: error, retryable: true });
    if (code.startsWith('HPE_')) {
      return new BucketError('unreachable', 'The endpoint did not answer in HTTP.', { cause: error });
    }
    if (TIMEOUTS.has(code) || TIMEOUTS.has(name) || / no answer within \d+ ms$/.test(message)) {
      return new BucketError('timeout', 'The provider did not answer in time.', { cause: error, retryable: true });
    }
  }
  return null;
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
