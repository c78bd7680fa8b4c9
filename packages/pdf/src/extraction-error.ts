/**
 * The reason why an extraction failed. For the first four codes, the file is at fault. `unavailable` means that no file
 * can be read now.
 */
export type ExtractionErrorCode =
  | 'unsupported_type'
  | 'corrupt_file'
  | 'encrypted_file'
  | 'file_too_large'
  | 'timeout'
  | 'internal'
  | 'unavailable';

/**
 * The error of a failed extraction. An aborted extraction throws the reason of its signal instead. `message` describes
 * the problem, and how the owner of the file can solve it. `retryable` says whether the same file may succeed later.
 */
export class ExtractionError extends Error {
  override readonly name = 'ExtractionError';
  readonly code: ExtractionErrorCode;
  readonly retryable: boolean;

  constructor(code: ExtractionErrorCode, message: string, options?: { cause?: unknown; retryable?: boolean }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options?.retryable ?? (code === 'internal' || code === 'unavailable');
  }
}

/** The codes that a child may report about its document. */
const codes: ReadonlySet<string> = new Set<ExtractionErrorCode>([
  'unsupported_type',
  'corrupt_file',
  'encrypted_file',
  'file_too_large',
  'timeout',
  'internal',
]);

export function isReportedCode(value: unknown): value is ExtractionErrorCode {
  return typeof value === 'string' && codes.has(value);
}

export function unsupportedType(filename: string, contentType: string): ExtractionError {
  return new ExtractionError(
    'unsupported_type',
    `Files of type ${contentType} cannot be read here. Convert "${filename}" to PDF, DOCX, HTML or text.`,
  );
}

export function encryptedFile(filename: string, cause?: unknown): ExtractionError {
  return new ExtractionError(
    'encrypted_file',
    `"${filename}" is protected by a password. Remove the protection and upload it again.`,
    { cause },
  );
}

/** `what` is the type with an article: "a PDF". */
export function damagedFile(what: string, filename: string, cause?: unknown): ExtractionError {
  return new ExtractionError(
    'corrupt_file',
    `"${filename}" could not be read as ${what}: it is damaged, incomplete or of another type. Open and save it again, then upload the new file.`,
    { cause },
  );
}
