// Converts failures of the provider of a chat model to errors of the API. Only the cause contains the provider's message.
import { badRequest, CodedError, unavailable } from '@kiln/contracts';
import { ProviderError } from '@kiln/model-clients/http/provider-error';

export function translateFailure(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  if (error.code === 'provider_unauthorized') {
    return badRequest(
      "The provider of chat answers refuses your organization's own key. Correct or delete the provider key chat, then ask again.",
    );
  }
  if (error.fault === 'timeout') return failed('The chat model did not answer in time. Ask again in a moment.', error);
  if (error.fault === 'wordless') {
    return failed(
      'The chat model wrote no answer. It may have used up its tokens before. Ask again with a shorter or simpler question.',
      error,
    );
  }
  if (error.retryAfterSeconds === null) return unavailable('The chat model', error);
  return failed('The chat model is asked for more than it allows. Ask again later.', error);
}

/** Whether a translated failure is that of a model which wrote nothing. */
export const isWordless = (error: unknown): boolean =>
  error instanceof CodedError && error.cause instanceof ProviderError && error.cause.fault === 'wordless';

/** A model that could not write JSON for the schema. */
export function noJson(isWhole: boolean, problem: string): CodedError {
  const advice = isWhole
    ? 'Ask again, or simplify the schema.'
    : 'Its reply was cut off. Raise max_tokens, or simplify the schema.';
  return new CodedError('UNAVAILABLE', `The chat model did not write the JSON that answer_format asks for. ${advice}`, {
    retryAfterSeconds: 1,
    cause: new Error(problem),
  });
}

function failed(message: string, error: ProviderError): CodedError {
  const retryAfterSeconds = Math.max(Math.ceil(error.retryAfterSeconds ?? 1), 1);
  return new CodedError('UNAVAILABLE', message, { retryAfterSeconds, cause: error });
}
