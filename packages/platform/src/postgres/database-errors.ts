// Tells a database that is away, or that asks for the transaction again, from one that refuses what was asked.
import { CodedError, unavailable } from '@kiln/contracts';

/** Classes 08 (connection), 53 (resources), 57P (operator intervention), and aborts that a repeat cures (40). */
const AWAY_STATE = /^(08|53|57P|40)/;
const AWAY_SYSTEM_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH']);
/** What node-postgres throws without a code. */
const AWAY_MESSAGE =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered a connection error/i;
const STATEMENT_TIMEOUT = '57014';

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** UNAVAILABLE when a retry may succeed; anything else unchanged. */
export function translateDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CodedError) return error;
  const code = codeOf(error);
  const away =
    AWAY_STATE.test(code) ||
    code === STATEMENT_TIMEOUT ||
    AWAY_SYSTEM_CODES.has(code) ||
    AWAY_MESSAGE.test(error.message);
  return away ? unavailable('The database', error) : error;
}

/** Whether the error is a violation of this unique constraint or index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error && codeOf(error) === '23505' && 'constraint' in error && error.constraint === constraint
  );
}

/** Whether a row that this constraint points to is not there. */
export function isForeignKeyViolation(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error && codeOf(error) === '23503' && 'constraint' in error && error.constraint === constraint
  );
}

/** Whether the database undid the transaction because of another one (class 40): the same again may succeed at once. */
export function isLostToAnother(error: unknown): boolean {
  const cause = error instanceof CodedError ? error.cause : error;
  return cause instanceof Error && codeOf(cause).startsWith('40');
}
