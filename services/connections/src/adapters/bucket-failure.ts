// From what a store's adapter throws to what the owner of the bucket is told.
import type { BucketErrorCode } from '@kiln/contracts';
import { ListingNotProvenError, NoOwnCredentialsError, StorageError } from '@kiln/storage';
import { BucketError } from '../domain/bucket-error.js';
import { providerAnswerOf } from './provider-answer.js';

const REASON_LENGTH_MAX = 300;
const DEPTH_MAX = 6;

/** What is known of one error, whichever SDK threw it. */
interface Link {
  thrown: Error;
  code: string;
  name: string;
  message: string;
}

interface VendorError {
  code?: unknown;
  /** Google's words stand in the answer, the SDK's own before it. */
  response?: { data?: { error?: { message?: unknown } } };
}

function linkOf(thrown: Error): Link {
  const { code, response }: VendorError = thrown as VendorError;
  const said = response?.data?.error?.message;
  return {
    thrown,
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : '',
    name: thrown.name,
    message: typeof said === 'string' ? said : thrown.message,
  };
}

/** The error and its causes, outermost first; of attempts at several addresses, the first. */
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
  ECONNRESET: 'The endpoint closed the connection before it had answered.',
  EPIPE: 'The endpoint closed the connection before it had answered.',
  ENOTFOUND: 'The name of the endpoint does not resolve.',
  EAI_AGAIN: 'The name of the endpoint does not resolve.',
  EHOSTUNREACH: 'The endpoint can not be reached.',
  ENETUNREACH: 'The endpoint can not be reached.',
  EPROTO: 'The endpoint does not speak TLS as it should.',
};

const TIMEOUTS = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ESOCKETTIMEDOUT', 'TimeoutError']);

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_CA|HOSTNAME_MISMATCH)/;

const BUCKET_MISSING = new Set(['NoSuchBucket', 'ContainerNotFound', 'NotFound']);

/** `secrets` are taken out of whatever the provider says. */
export function bucketErrorOf(error: unknown, secrets: readonly string[]): BucketError {
  if (error instanceof BucketError) return error;
  const chain = chainOf(error);
  return (
    refusedByUs(error, chain) ??
    notProven(error, chain) ??
    neverArrived(error, chain) ??
    answeredWithError(error, chain, (text) => tellable(text, secrets))
  );
}

function refusedByUs(error: unknown, chain: readonly Link[]): BucketError | null {
  if (chain.some(({ thrown }) => thrown instanceof NoOwnCredentialsError)) {
    const message =
      'The operator of this installation of Kiln has given it no AWS credentials, without which it can assume no role. ' +
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

/** Its reason is written by the adapters of packages/storage: no text of the answer is in it. */
function notProven(error: unknown, chain: readonly Link[]): BucketError | null {
  const listing = chain.find(({ thrown }) => thrown instanceof ListingNotProvenError);
  const message = `The store answered, but ${listing?.message}.`;
  return listing ? new BucketError('listing_incomplete', message, { cause: error }) : null;
}

function neverArrived(error: unknown, chain: readonly Link[]): BucketError | null {
  for (const { code, name, message } of chain) {
    if (CERTIFICATE.test(code)) {
      const told = `The certificate of the endpoint is not accepted (${code}).`;
      return new BucketError('unreachable', told, { cause: error });
    }
    const told = UNREACHABLE[code] ?? (code.startsWith('ERR_SSL') ? UNREACHABLE['EPROTO'] : undefined);
    if (told) return new BucketError('unreachable', told, { cause: error, retryable: true });
    if (code.startsWith('HPE_')) {
      return new BucketError('unreachable', 'The endpoint did not answer in HTTP.', { cause: error });
    }
    if (TIMEOUTS.has(code) || TIMEOUTS.has(name) || / no answer within \d+ ms$/.test(message)) {
      return new BucketError('timeout', 'The provider did not answer in time.', { cause: error, retryable: true });
    }
  }
  return null;
}

function answeredWithError(error: unknown, chain: readonly Link[], clean: (text: string) => string): BucketError {
  const vendor = chain.find(({ thrown }) => !(thrown instanceof StorageError)) ?? chain[0];
  const said = clean(vendor ? saidBy(vendor) : '');
  const worded = (what: string) => (said === '' ? `${what}.` : `${what}: ${said}`);
  const told = (code: BucketErrorCode, what: string) => new BucketError(code, worded(what), { cause: error });
  const code = error instanceof StorageError ? error.code : 'unavailable';
  if (code === 'not_found' || (vendor && (BUCKET_MISSING.has(vendor.code) || BUCKET_MISSING.has(vendor.name)))) {
    return told('bucket_not_found', 'There is no such bucket');
  }
  if (code === 'access_denied') return told('access_denied', 'The provider refused the credentials');
  if (code === 'invalid') return told('refused', 'The provider refused the request');
  const answer = chain.map(({ thrown }) => providerAnswerOf(thrown)).find((given) => given !== undefined);
  const what = answer ? `The provider answered ${answer.status}` : 'The provider could not answer';
  const { retryAfterSeconds } = answer ?? {};
  return new BucketError('unreachable', worded(what), { cause: error, retryable: true, retryAfterSeconds });
}

/** The provider's own words, without what the SDK puts around them. */
function saidBy({ thrown, message }: Link): string {
  const ownWords = thrown instanceof StorageError ? message.slice(message.indexOf(': ') + 2) : message;
  // What the SDKs say when a body held nothing.
  return /^(UnknownError|Unknown|Error|char '.*)$/.test(ownWords) ? '' : ownWords;
}

/** One line of visible text that holds no secret. */
function tellable(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, '[redacted]');
  clean = clean
    .replace(/[\r\n][^]*$/, '')
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim();
  return clean.length > REASON_LENGTH_MAX ? `${clean.slice(0, REASON_LENGTH_MAX)}…` : clean;
}
