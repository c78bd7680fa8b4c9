// Says why no answer came from an address that a caller chose. The only place that knows the error codes of sockets, TLS, DNS, undici and
// Node's HTTP client. The sentences are for whoever chose the address: they contain no resolved address and no detail of the network.

export type ConnectionFailureKind =
  /** The outbound policy forbids the address. */
  | 'not_allowed'
  /** The egress proxy made no connection. */
  | 'proxy'
  | 'name_not_found'
  | 'refused'
  | 'unreachable'
  | 'connect_timeout'
  | 'certificate'
  | 'tls'
  /** The connection ended before the answer did. */
  | 'closed'
  | 'answer_timeout'
  /** The answer is not valid HTTP, or its headers are too large. */
  | 'invalid_answer';

export interface ConnectionFailure {
  kind: ConnectionFailureKind;
  /** One sentence. */
  message: string;
  /** Whether the same request may succeed later without any change. */
  retryable: boolean;
}

type Fixed = Exclude<ConnectionFailureKind, 'not_allowed' | 'proxy' | 'certificate'>;

const SENTENCES: Readonly<Record<Fixed, string>> = {
  name_not_found: 'The name of the endpoint does not resolve.',
  refused: 'The endpoint refused the connection.',
  unreachable: 'The endpoint cannot be reached.',
  connect_timeout: 'The endpoint did not accept the connection in time.',
  tls: 'The endpoint does not speak TLS as it should.',
  closed: 'The endpoint closed the connection before it had answered.',
  answer_timeout: 'The endpoint did not answer in time.',
  invalid_answer: 'The endpoint did not answer in HTTP.',
};

const KINDS: Readonly<Record<string, Fixed>> = {
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'connect_timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  EPROTO: 'tls',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  UND_ERR_SOCKET: 'closed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'closed',
  ESOCKETTIMEDOUT: 'answer_timeout',
  UND_ERR_HEADERS_TIMEOUT: 'answer_timeout',
  UND_ERR_BODY_TIMEOUT: 'answer_timeout',
};

const TOO_MANY_HEADERS = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW']);

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes, and OpenSSL's own. */
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_CA|HOSTNAME_MISMATCH)/;

const DEPTH_MAX = 6;

/** The error and its causes, outermost first. Of an AggregateError, the first error. */
export function errorChain(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let current = error; current instanceof Error && chain.length < DEPTH_MAX; current = current.cause) {
    chain.push(current);
    const [first] = current instanceof AggregateError ? (current.errors as unknown[]) : [];
    if (first instanceof Error) chain.push(first);
  }
  return chain;
}

/** The `code` of an error as text. '' without one. */
export function codeOf(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' || typeof code === 'number' ? String(code) : '';
}

/** Null when neither the error nor any of its causes is a failed connection. */
export function connectionFailureOf(error: unknown): ConnectionFailure | null {
  const chain = errorChain(error);
  return firstOf(chain, ownFailure) ?? firstOf(chain, foreignFailure);
}

function firstOf(
  chain: readonly Error[],
  failureOf: (error: Error) => ConnectionFailure | null,
): ConnectionFailure | null {
  for (const error of chain) {
    const failure = failureOf(error);
    if (failure) return failure;
  }
  return null;
}

/** By code, because an SDK may have copied the error. */
function ownFailure(error: Error): ConnectionFailure | null {
  const { message } = error;
  const code = codeOf(error);
  if (code === 'KILN_OUTBOUND_REFUSED')
    return { kind: 'not_allowed', message: `The endpoint is not allowed: it ${message}.`, retryable: false };
  return code === 'KILN_OUTBOUND_PROXY' ? { kind: 'proxy', message, retryable: true } : null;
}

function foreignFailure(error: Error): ConnectionFailure | null {
  const code = codeOf(error);
  if (CERTIFICATE.test(code)) {
    const message = `The certificate of the endpoint is not accepted (${code}).`;
    return { kind: 'certificate', message, retryable: false };
  }
  if (TOO_MANY_HEADERS.has(code)) {
    const message = 'The endpoint answered with too many headers.';
    return { kind: 'invalid_answer', message, retryable: false };
  }
  const kind = kindOf(code, error.name);
  return kind && { kind, message: SENTENCES[kind], retryable: kind !== 'invalid_answer' };
}

function kindOf(code: string, name: string): Fixed | null {
  if (code.startsWith('ERR_SSL')) return 'tls';
  // undici's parser error has a name, but no code.
  if (code.startsWith('HPE_') || name === 'HTTPParserError') return 'invalid_answer';
  if (name === 'TimeoutError') return 'answer_timeout';
  return Object.hasOwn(KINDS, code) ? (KINDS[code] ?? null) : null;
}
