// Status and Retry-After of a provider's response, read from the error that its SDK throws.
import { retryAfterSeconds } from '@kiln/resilience';
import { KEPT_RETRY_AFTER } from '@kiln/storage';

export interface ProviderAnswer {
  status: number;
  retryAfterSeconds: number | undefined;
}

type Header = string | string[] | undefined;
type Headers = Record<string, Header> | { get(name: string): string | null | undefined };

interface Response {
  statusCode?: number;
  status?: number;
  headers?: Headers;
}

interface SdkError {
  /** The response of AWS, a hidden property. */
  $response?: Response;
  /** The response of Google or Azure. */
  response?: Response;
}

/** Returns undefined when the provider did not answer. */
export function providerAnswerOf(error: Error): ProviderAnswer | undefined {
  const { $response, response = $response }: SdkError = error as SdkError;
  const status = response?.statusCode ?? response?.status;
  if (response === undefined || typeof status !== 'number') return undefined;
  const text = headerOf(response, 'retry-after') ?? headerOf(response, KEPT_RETRY_AFTER);
  return { status, retryAfterSeconds: retryAfterSeconds({ 'retry-after': text }) };
}

function headerOf({ headers = {} }: Response, name: string): Header {
  if ('get' in headers && typeof headers.get === 'function') return headers.get(name) ?? undefined;
  return (headers as Record<string, Header>)[name];
}
