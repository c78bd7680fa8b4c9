// Separates errors that a retry may resolve (unavailable database, aborted transaction) from rejected statements.
import { CodedError, unavailable } from '@kiln/contracts';
import { QueryFailedError } from 'typeorm';

/**
 * Classes 08 (connection), 53 (resources), 57P (operator intervention), and 40 (transaction aborts that a retry resolves). A standby
 * refuses writes with 25006: after a failover, the server that was the primary.
 */
const AWAY_STATE = /^(08|53|57P|40|25006)/;
const AWAY_SYSTEM_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH']);
/** Messages of node-postgres errors without a code. */
const AWAY_MESSAGE =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|client (has encountered a connection error|was closed)/i;
const STATEMENT_TIMEOUT = '57014';

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * Returns UNAVAILABLE if a retry may succeed, otherwise the driver's error. TypeORM's own error contains the values of the query,
 * which must not be logged.
 */
export function translateDatabaseError(thrown: unknown): unknown {
  const error = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
  if (!(error instanceof Error) || error instanceof CodedError) return error;
  const code = codeOf(error);
  const away =
    AWAY_STATE.test(code) ||
    code === STATEMENT_TIMEOUT ||
    AWAY_SYSTEM_CODES.has(code) ||
    AWAY_MESSAGE.test(error.message);
  return away ? unavailable('The database', error) : error;
}

/**
 * Whether a connection that seems to work must not be used again: the driver timed out, so the server has vanished or still runs the
 * query; or the server is a standby, and the primary is elsewhere.
 */
export function isDeadEnd(thrown: unknown): boolean {
  const error = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
  return error instanceof Error && (error.message === 'Query read timeout' || codeOf(error) === '25006');
}

/** Whether the role of the schema does not exist, because no migration has created it. */
export function isMissingRole(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '22023' && /^role "[^"]+" does not exist$/.test(error.message);
}

/** Whether another session held a lock for too long, or both waited for each other. */
export const isLocked = (error: unknown): boolean =>
  error instanceof Error && ['55P03', '40P01'].includes(codeOf(error));

export const isUndefinedTable = (error: unknown): boolean => error instanceof Error && codeOf(error) === '42P01';

/** Whether the error is a violation of this unique constraint or index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error && codeOf(error) === '23505' && 'constraint' in error && error.constraint === constraint
  );
}
