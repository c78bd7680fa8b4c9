// Converts the refusal of a remote engine into an error about the file.
import { ExtractionError } from '@kiln/pdf/extraction-error';
import type { ProviderError } from '@kiln/model-clients/http/provider-error';

/** Returns an error about the file if the refusal states one, otherwise the provider's error. */
export function fileFault(error: ProviderError, filename: string): ExtractionError | ProviderError {
  const options = { cause: error };
  const { statusCode } = error;
  if (statusCode === 413) {
    return new ExtractionError(
      'file_too_large',
      `"${filename}" is larger than the engine for its type takes. Split it into smaller files.`,
      options,
    );
  }
  if (statusCode === 415) {
    return new ExtractionError(
      'unsupported_type',
      `The engine for files of this type cannot read "${filename}". Convert it to a more common format.`,
      options,
    );
  }
  return statusCode === 400 || statusCode === 422 ? unreadable(filename, error) : error;
}

export function unreadable(filename: string, cause?: unknown): ExtractionError {
  return new ExtractionError(
    'corrupt_file',
    `"${filename}" could not be read: it is damaged, incomplete or of another type. Open and save it again, then upload the new file.`,
    { cause },
  );
}
