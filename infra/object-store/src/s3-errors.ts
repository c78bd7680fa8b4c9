// The S3 error codes that this store returns, with their status (Amazon S3 API reference, "Error responses").

const table = {
  AccessDenied: [403, 'Access denied.'],
  AuthorizationHeaderMalformed: [400, 'The Authorization header is not a valid AWS Signature Version 4 header.'],
  AuthorizationQueryParametersError: [400, 'The signature parameters of the query are not valid.'],
  BadDigest: [400, 'The checksum you sent does not match the received bytes.'],
  BucketAlreadyOwnedByYou: [409, 'The bucket exists already and is yours.'],
  BucketNotEmpty: [409, 'The bucket still holds objects.'],
  EntityTooLarge: [400, 'The upload is larger than the largest allowed object.'],
  EntityTooSmall: [400, 'A part other than the last is smaller than the smallest allowed part.'],
  IncompleteBody: [400, 'Fewer bytes arrived than the request announced.'],
  InternalError: [500, 'The store failed; try again.'],
  InvalidAccessKeyId: [403, 'The access key id is not known here.'],
  InvalidArgument: [400, 'An argument is not valid.'],
  InvalidBucketName: [
    400,
    'A bucket name has 3 to 63 of a-z, 0-9, "-" and ".", starting and ending with a letter or digit.',
  ],
  InvalidDigest: [400, 'The Content-MD5 or checksum header is not valid.'],
  InvalidPart: [400, 'A part was never uploaded, or its ETag differs.'],
  InvalidPartOrder: [400, 'The parts must be listed in ascending order.'],
  InvalidRange: [416, 'The range lies outside of the object.'],
  InvalidRequest: [400, 'The request is not valid.'],
  InvalidURI: [400, 'The URI could not be parsed.'],
  KeyTooLongError: [400, 'The key is longer than 1024 bytes.'],
  MalformedXML: [400, 'The XML is not well-formed, or not what this operation takes.'],
  MaxMessageLengthExceeded: [400, 'The request body is too long for this operation.'],
  MethodNotAllowed: [405, 'The method is not allowed on this resource.'],
  MissingContentLength: [411, 'A Content-Length header is required.'],
  NoSuchBucket: [404, 'The bucket does not exist.'],
  NoSuchKey: [404, 'The key does not exist.'],
  NoSuchUpload: [404, 'The multipart upload does not exist; it may have been completed or aborted.'],
  NotImplemented: [501, 'This store does not implement that part of S3.'],
  NotModified: [304, 'Not modified.'],
  PreconditionFailed: [412, 'A condition of the request does not hold.'],
  RequestTimeout: [400, 'The body arrived too slowly.'],
  RequestTimeTooSkewed: [403, 'The request time differs from the time here by more than 15 minutes.'],
  SignatureDoesNotMatch: [
    403,
    'The signature differs from the calculated one; check the secret key and what was signed.',
  ],
  SlowDown: [503, 'The store is stopping; try again.'],
  XAmzContentSHA256Mismatch: [400, 'The x-amz-content-sha256 header does not match the body.'],
} as const satisfies Record<string, readonly [number, string]>;

export type S3ErrorCode = keyof typeof table;

export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly status: number;

  constructor(
    readonly code: S3ErrorCode,
    message?: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message ?? table[code][1]);
    this.status = table[code][0];
  }
}

/** True for a Node system error with one of these codes, such as `ENOENT`. */
export const isSystemError = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));
