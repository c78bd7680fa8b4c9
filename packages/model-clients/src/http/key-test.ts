// Tests an organization's own key: sends one request to the provider, and returns the outcome.
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { ProviderError, type ProviderErrorCode, type ProviderFault } from './provider-error.js';

export interface KeyTestOutcome {
  /** Whether the provider accepted the key and answered. */
  ok: boolean;
  duration_ms: number;
  error: { code: ProviderErrorCode; message: string } | null;
}

/** The model answered, although not with what was asked for. */
const ANSWERED: ReadonlySet<ProviderFault> = new Set(['wordless', 'repetitive']);

/** The outcome if the operator has configured no server for such keys. */
export const KEY_NOT_USED: KeyTestOutcome = {
  ok: false,
  duration_ms: 0,
  error: {
    code: 'provider_unavailable',
    message: 'This installation has no server for this provider, so that the key is not used.',
  },
};

/** The outcome must reach the caller before the deadline of the call. */
const MARGIN_MS = 2_000;

/**
 * `call` sends one request. It is aborted two seconds before `deadlineAt`, in milliseconds since 1970. The outcome contains no address, no key, and
 * no text of the provider.
 */
export async function testKey(
  call: (signal: AbortSignal) => Promise<unknown>,
  deadlineAt: number,
): Promise<KeyTestOutcome> {
  const signal = AbortSignal.timeout(Math.max(0, deadlineAt - MARGIN_MS - Date.now()));
  const startedAt = performance.now();
  const outcomeOf = (error: KeyTestOutcome['error']): KeyTestOutcome => ({
    ok: error === null,
    duration_ms: Math.round(performance.now() - startedAt),
    error,
  });
  try {
    await call(signal);
    return outcomeOf(null);
  } catch (error) {
    if (signal.aborted) return outcomeOf({ code: 'timeout', message: messageOf('timeout', null) });
    // The provider has read the request, and refuses the file.
    if (error instanceof ExtractionError && !error.retryable) return outcomeOf(null);
    if (!(error instanceof ProviderError)) throw error;
    if (ANSWERED.has(error.fault)) return outcomeOf(null);
    return outcomeOf({ code: error.code, message: messageOf(error.fault, error.statusCode) });
  }
}

const SENTENCES: Readonly<Record<ProviderFault, string>> = {
  unauthorized: 'The provider does not accept the key.',
  exhausted: 'The account of the key has no credit left.',
  rate_limited: 'The provider is asked for more than it allows. Test the key again later.',
  server_error: 'The provider failed.',
  timeout: 'The provider did not answer in time.',
  unreachable: 'The provider cannot be reached. Check its address.',
  refused: 'The provider refused the request. The address or the model may be wrong.',
  oversized: 'The provider answered with more than Kiln reads.',
  malformed: 'The provider gave an answer that Kiln cannot read.',
  repetitive: 'The provider repeated itself.',
  wordless: 'The provider gave an empty answer.',
  circuit_open: 'The provider is busy with other requests. Test the key again later.',
  busy: 'The provider is busy with other requests. Test the key again later.',
};

const messageOf = (fault: ProviderFault, statusCode: number | null): string =>
  statusCode === null ? SENTENCES[fault] : `${SENTENCES[fault]} Its status was ${statusCode}.`;
