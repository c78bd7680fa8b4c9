// The two kinds of replies of a service: a result that fits its contract, and a coded error.
import {
  asCodedError,
  CodedError,
  commonErrors,
  describeProblems,
  ERROR_HEADER,
  errorKinds,
  MESSAGE_BYTES_MAX,
  type ErrorCode,
  type Operation,
} from '@kiln/contracts';
import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import type { z } from 'zod';
import type { Logger } from '../observability/logger.js';
import { contextFromHeaders } from './call-context.js';

export interface ErrorReply {
  payload: string;
  headers: MsgHdrs;
}

interface ErrorBody {
  message: string;
  retryAfterSeconds?: number;
}

export function errorReply({ code, message, retryAfterSeconds }: CodedError): ErrorReply {
  const replyHeaders = headers();
  replyHeaders.set(ERROR_HEADER, code);
  return {
    payload: JSON.stringify({ message, retryAfterSeconds } satisfies Partial<ErrorBody>),
    headers: replyHeaders,
  };
}

/** The reply for an error, which is logged if it is a defect or an outage. */
export function refusal({ subject }: Operation, call: Msg, coded: CodedError, logger: Logger): ErrorReply {
  const { requestId, tenantId } = contextFromHeaders(call.headers) ?? {};
  if (coded.status >= 500) logger.error({ err: coded, operation: subject, requestId, tenantId }, 'operation failed');
  return errorReply(coded);
}

/** The error that the message carries, or null for a result. */
export function errorOf(reply: Msg): CodedError | null {
  const code = reply.headers?.get(ERROR_HEADER);
  if (!code) return null;
  const { message, retryAfterSeconds } = reply.json<ErrorBody>();
  const known: ErrorCode = code in errorKinds ? (code as ErrorCode) : 'INTERNAL_ERROR';
  return new CodedError(known, message, { retryAfterSeconds });
}

/** A code outside the contract is a defect of the service. */
export function withinContract({ subject, errors }: Operation, error: CodedError): CodedError {
  if (errors.includes(error.code) || commonErrors.includes(error.code)) return error;
  const cause = new Error(`${error.code} is not in the contract of ${subject}`, { cause: error });
  return asCodedError(cause);
}

/** JSON of the fields that the schema names. Throws if the result does not match it, or is too large for the bus. */
export function payloadOf(subject: string, schema: z.ZodType, result: unknown): string {
  const output = schema.safeParse(result ?? {});
  if (!output.success) {
    throw new Error(`the result of ${subject} does not match its contract: ${describeProblems(output.error)}`);
  }
  const payload = JSON.stringify(output.data);
  if (Buffer.byteLength(payload) > MESSAGE_BYTES_MAX) {
    throw new Error(`the result of ${subject} is larger than ${MESSAGE_BYTES_MAX} bytes; pass bulk by reference`);
  }
  return payload;
}

export function readJson(message: Msg): unknown {
  try {
    return message.json();
  } catch {
    throw new CodedError('BAD_REQUEST', 'The call is not JSON.');
  }
}
