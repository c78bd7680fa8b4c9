/** Why an extraction failed. The first four codes mean that the file is at fault, the last two that it is not. */
export type ExtractionErrorCode =
  'unsupported_type' | 'corrupt_file' | 'encrypted_file' | 'file_too_large' | 'timeout' | 'internal';

/**
 * A failed extraction. An aborted one throws the reason of its signal. `message` is for the owner of the file: the problem,
 * and how to solve it. `retryable` says whether the same file may succeed later.
 */
export class ExtractionError extends Error {
  override readonly name = 'ExtractionError';
  readonly code: ExtractionErrorCode;
  readonly retryable: boolean;

  constructor(code: ExtractionErrorCode, message: string, options?: { cause?: unknown; retryable?: boolean }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options?.retryable ?? code === 'internal';
  }
}

const codes: ReadonlySet<string> = new Set<ExtractionErrorCode>([
  'unsupported_type',
  'corrupt_file',
  'encrypted_file',
  'file_too_large',
  'timeout',
  'internal',
]);

export function isExtractionErrorCode(value: unknown): value is ExtractionErrorCode {
  return typeof value === 'string' && codes.has(value);
}

export function unsupportedType(filename: string, contentType: string): ExtractionError {
  return new ExtractionError(
    'unsupported_type',
    `Files of type ${contentType} cannot be read here. Convert "${filename}" to PDF, DOCX, HTML or text.`,
  );
}
