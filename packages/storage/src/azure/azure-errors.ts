// Translates what the Azure SDK throws into StorageError.
import { ObjectArchivedError } from '../object-archived.error.js';
import { StorageError } from '../storage.errors.js';
import { ARCHIVE_TIER } from './azure-shapes.js';

interface RestErrorShape {
  /** Azure's error code, or Node's when the connection failed. */
  code?: string;
  message?: string;
  statusCode?: number;
}

/** Another upload of the same object was faster. This one can be repeated. */
const RETRYABLE = new Set(['InvalidBlockList', 'ContainerBeingDeleted']);

const ARCHIVED = new Set(['BlobArchived', 'BlobBeingRehydrated']);

const shapeOf = (error: unknown): RestErrorShape => (typeof error === 'object' && error !== null ? error : {});

/** True when the object does not exist, even if only the status of a HEAD request shows it. */
export function isMissing(error: unknown): boolean {
  const { code, statusCode } = shapeOf(error);
  return statusCode === 404 && code !== 'ContainerNotFound';
}

/** A request was made on condition that the blob does not exist. */
export const isBlobThere = (error: unknown): boolean =>
  ['BlobAlreadyExists', 'ConditionNotMet'].includes(shapeOf(error).code ?? '');

export const isMissingContainer = (error: unknown): boolean => shapeOf(error).statusCode === 404;

/** True for a response with a success status that the SDK could not parse. */
export function isUnreadable(error: unknown): boolean {
  const { statusCode = 0 } = shapeOf(error);
  return error instanceof TypeError || (statusCode >= 200 && statusCode < 300);
}

export function toStorageError(error: unknown, action: string): StorageError {
  if (error instanceof StorageError) return error;
  const { code = '', message = String(error), statusCode: status = 0 } = shapeOf(error);
  const described = `${action}: ${code || 'failure'}: ${message.split('\n')[0]}`;
  if (code === 'ContainerNotFound') {
    return new StorageError('invalid', `${described} Create the container or call ensureBucket().`, { cause: error });
  }
  if (isMissing(error)) return new StorageError('not_found', described, { cause: error });
  if (ARCHIVED.has(code)) return new ObjectArchivedError(action, ARCHIVE_TIER, { cause: error });
  if (status === 401 || status === 403) return new StorageError('access_denied', described, { cause: error });
  if (status >= 400 && status < 500 && status !== 408 && status !== 429 && !RETRYABLE.has(code)) {
    return new StorageError('invalid', described, { cause: error });
  }
  return new StorageError('unavailable', described, { cause: error, retryable: true });
}
