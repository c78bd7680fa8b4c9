// Derives the fault of a provider from the status of its response, or from the lack of a response.
import { retryAfterSeconds } from '@kiln/resilience';
import type { ProviderEndpoint } from './provider-endpoint.js';
import { ProviderError, type ProviderFault } from './provider-error.js';

/**
 * The members of a JSON body in which servers describe an error. Some servers also repeat the input that they refuse, which is text of a
 * document: https://docs.pydantic.dev/latest/errors/errors/#error-details
 */
const describedError = /"(?:code|detail|error|error_type|message|msg|param|type)"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)/g;
const DESCRIPTION_CHARACTERS = 300;
/** 408 and 425 ask for the same request once more (RFC 9110 §15.5.9, RFC 8470 §5.2). */
const ONCE_MORE = new Set([408, 425]);

/** The status of a refusal, with the description of the error, for the operator's log. */
export class ProviderAnswerError extends Error {
  override readonly name = 'ProviderAnswerError';

  /** `text`: the beginning of the body. Not for logs, because a provider's message may contain what it was sent. */
  constructor(
    message: string,
    readonly text: string,
  ) {
    super(message);
    Object.defineProperty(this, 'text', { enumerable: false });
  }
}

export interface RefusedAnswer {
  statusCode: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The beginning of the body. */
  text: string;
}

export function answerFault(endpoint: ProviderEndpoint, { statusCode, headers, text }: RefusedAnswer): ProviderError {
  const fault = faultOfStatus(statusCode, text);
  const seconds = retryAfterSeconds(headers);
  // A provider's message about a key may contain the key.
  const description = fault === 'unauthorized' ? '' : descriptionIn(withoutKey(text, endpoint));
  return new ProviderError(fault, endpoint, {
    statusCode,
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    cause: new ProviderAnswerError(
      `answered ${statusCode}${description === '' ? '' : `: ${description}`}`,
      withoutKey(text, endpoint),
    ),
  });
}

function faultOfStatus(statusCode: number, text: string): ProviderFault {
  if (statusCode === 401 || statusCode === 403) return 'unauthorized';
  if (statusCode === 402) return 'exhausted';
  // OpenAI and compatible servers also return 429 for an account without credit, where waiting does not help.
  if (statusCode === 429)
    return /"(insufficient_quota|billing_hard_limit_reached)"/.test(text) ? 'exhausted' : 'rate_limited';
  if (statusCode >= 500 || ONCE_MORE.has(statusCode)) return 'server_error';
  return 'refused';
}

/** `text` may end anywhere, so it is not parsed. */
function descriptionIn(text: string): string {
  const values = Array.from(text.matchAll(describedError), ([, value = '']) => value);
  return values.join(' ').slice(0, DESCRIPTION_CHARACTERS);
}

function withoutKey(text: string, { key }: ProviderEndpoint): string {
  return key === null || key === '' ? text : text.replaceAll(key, '[redacted]');
}

/** The error for a missing or incomplete response. */
export function connectionFault(endpoint: ProviderEndpoint, error: unknown): ProviderError {
  return new ProviderError('unreachable', endpoint, { cause: error });
}
