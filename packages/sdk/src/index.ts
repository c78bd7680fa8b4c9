// The SDK for every runtime. Paths and folders are in `@kiln/sdk/node`, signatures of webhooks in `@kiln/sdk/webhooks`.
export { Kiln } from './kiln.js';
export {
  BadRequestError,
  BucketUnavailableError,
  ConflictError,
  ForbiddenError,
  GoneError,
  KilnApiError,
  KilnConnectionError,
  KilnError,
  KilnTimeoutError,
  NotFoundError,
  PayloadTooLargeError,
  QuotaExceededError,
  RateLimitedError,
  ServerError,
  UnauthorizedError,
} from './core/errors.js';
export { List } from './core/list.js';
export type { Page } from './core/list.js';
export type { KilnOptions, Limits, RequestOptions } from './core/options.js';
export type { ErrorCode, PathParameters, Query, Schemas } from './core/operation-types.js';
export type { EventsByType, EventType, KilnEvent } from './generated/event-payloads.js';
export type * from './generated/resources.js';
export type { EventSubscription, EventStreamOptions } from './events/event-subscription.js';
export type { EventStreamQuery, JobProgressEvent, StreamedEvent } from './events/streamed-event.js';
export type { BatchEntry, BatchUpload } from './uploads/upload-batch.js';
export type { PartsOptions, UploadFields, UploadOptions, UploadProgress } from './uploads/upload-options.js';
export type { NamedSource, Uploadable } from './uploads/source.js';
export type { StoredFile } from './uploads/stored-file.js';
export type { WaitOptions } from './core/wait.js';
export { API_VERSION } from './generated/version.js';
