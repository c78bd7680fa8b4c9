/**
 * The only error (besides an abort) that a remote provider's client throws. `message` is written for the owner of the file: it
 * names neither hosts nor keys, nor anything the provider said. What the operator needs is in `cause` and `statusCode`.
 */
import type { ProviderEndpoint } from './provider-endpoint.js';

/** The kind of fault. It determines all other properties. */
export type ProviderFault =
  | 'unauthorized'
  /** Its owner's account at the provider has no credit left. */
  | 'exhausted'
  | 'rate_limited'
  | 'server_error'
  | 'timeout'
  | 'unreachable'
  /** The provider refuses the request: an unknown model or path, a parameter, a size. */
  | 'refused'
  | 'oversized'
  | 'malformed'
  /** The model repeated itself instead of reading the file. */
  | 'repetitive'
  /** The model ended without a word, for example because it used up its tokens by reasoning, or a filter withheld the answer or its end. */
  | 'wordless'
  /** The request was not sent: the circuit breaker is open. */
  | 'circuit_open'
  /** The request was not sent: no slot was free in time. */
  | 'busy';

export type ProviderErrorCode = 'provider_unauthorized' | 'provider_unavailable' | 'timeout';

/** Retryable without any change. */
const TRANSIENT: ReadonlySet<ProviderFault> = new Set([
  'rate_limited',
  'server_error',
  'timeout',
  'unreachable',
  'malformed',
  'repetitive',
  'wordless',
  'circuit_open',
  'busy',
]);

export interface ProviderErrorDetails {
  statusCode?: number;
  retryAfterSeconds?: number;
  cause?: unknown;
  /** In place of the sentence that belongs to the fault. */
  message?: string;
}

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly fault: ProviderFault;
  readonly code: ProviderErrorCode;
  /** Whether the same request can be retried. Otherwise something must be corrected first. */
  readonly transient: boolean;
  /** Whether the owner of the file may hope for more by asking again. */
  readonly retryable: boolean;
  /** Whether the request was sent to the provider. */
  readonly wasAsked: boolean;
  readonly statusCode: number | null;
  readonly retryAfterSeconds: number | null;

  constructor(fault: ProviderFault, endpoint: ProviderEndpoint, details: ProviderErrorDetails = {}) {
    const { cause, statusCode, retryAfterSeconds } = details;
    super(details.message ?? sentenceOf(fault, endpoint), cause === undefined ? undefined : { cause });
    this.fault = fault;
    const isOwnKey = endpoint.keyOwner === 'organization' && (fault === 'unauthorized' || fault === 'exhausted');
    this.code = isOwnKey ? 'provider_unauthorized' : fault === 'timeout' ? 'timeout' : 'provider_unavailable';
    this.transient = TRANSIENT.has(fault);
    this.retryable = !isOwnKey;
    this.wasAsked = fault !== 'circuit_open' && fault !== 'busy';
    this.statusCode = statusCode ?? null;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}

function sentenceOf(fault: ProviderFault, { purpose, provider, keyOwner }: ProviderEndpoint): string {
  if (fault === 'unauthorized' || fault === 'exhausted') {
    const why = fault === 'unauthorized' ? 'does not accept' : 'has no credit left for';
    if (keyOwner === 'organization')
      return `The provider of ${purpose} ${why} your organization's own key (provider key ${provider}). Correct or delete that key, then retry the job.`;
    return `The provider of ${purpose} ${why} this installation. Its operator has to correct that; retry the job later.`;
  }
  return `${SENTENCES[fault](purpose)} Retry the job later.`;
}

const SENTENCES: Readonly<Record<Exclude<ProviderFault, 'unauthorized' | 'exhausted'>, (purpose: string) => string>> = {
  rate_limited: (purpose) => `The provider of ${purpose} is asked for more than it allows.`,
  server_error: (purpose) => `The provider of ${purpose} failed.`,
  timeout: (purpose) => `The provider of ${purpose} did not answer in time.`,
  unreachable: (purpose) => `The provider of ${purpose} cannot be reached.`,
  refused: (purpose) => `The provider of ${purpose} refused the request.`,
  oversized: (purpose) => `The provider of ${purpose} answered with more than can be taken in.`,
  malformed: (purpose) => `The provider of ${purpose} gave an answer that makes no sense.`,
  repetitive: (purpose) => `The provider of ${purpose} repeated itself instead of reading the file.`,
  wordless: (purpose) =>
    `The model of ${purpose} wrote no whole answer. It may have used up its tokens before, or a filter withheld it.`,
  circuit_open: (purpose) => `The provider of ${purpose} has failed several times in a row.`,
  busy: (purpose) => `The provider of ${purpose} is busy with other files.`,
};
