// The message of a call: the input as JSON, and the context with the time that remains.
import { CodedError, MESSAGE_BYTES_MAX, unavailable, type CallContext, type Operation } from '@kiln/contracts';
import type { MsgHdrs } from '@nats-io/transport-node';
import type { z } from 'zod';
import { contextToHeaders } from './call-context.js';
import { requireRevision } from './revisions.js';

export interface PreparedCall {
  /** The service that owns the operation. */
  service: string;
  timeoutMs: number;
  payload: string;
  headers: MsgHdrs;
  /** The revision of the contract that the input needs. */
  revision: number;
}

/** Throws UNAVAILABLE when the deadline has passed, and PAYLOAD_TOO_LARGE. */
export function prepareCall<Op extends Operation>(
  operation: Op,
  input: z.input<Op['input']>,
  context: CallContext,
): PreparedCall {
  const timeoutMs = Math.min(operation.timeoutMs, context.deadlineAt - Date.now());
  const service = operation.subject.split('.')[0] ?? operation.subject;
  if (timeoutMs <= 0) throw unavailable(`The ${service} service`, new Error('the deadline has passed'));
  const payload = JSON.stringify(input);
  if (Buffer.byteLength(payload) > MESSAGE_BYTES_MAX) {
    throw new CodedError('PAYLOAD_TOO_LARGE', 'The request is too large. Send less in one call.');
  }
  const headers = contextToHeaders(context, timeoutMs);
  return { service, timeoutMs, payload, headers, revision: requireRevision(operation, input, headers) };
}
