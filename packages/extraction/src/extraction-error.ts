/** Why an extraction failed. The first four codes mean that the file is at fault, the last two that it is not. */
export type ExtractionErrorCode =
  'unsupported_type' | 'corrupt_file' | 'encrypted_file' | 'file_too_large' | 'timeout' | 'internal';

/**
 * The error that an extraction throws, unless it is aborted. `message` tells the owner of the file what is wrong and what to
 * do. `retryable` says whether the same file may succeed later.
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
