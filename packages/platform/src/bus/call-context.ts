// Writes the context of a call to NATS headers, and reads it back.
import { CONTEXT_HEADER, findMode, type CallContext } from '@kiln/contracts';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { currentTrace } from '../observability/tracing.js';
import { setTrace, traceOf } from './trace-headers.js';

/** The deadline travels as the milliseconds that remain, because the clocks of two hosts differ. */
export function contextToHeaders(context: CallContext, remainingMs: number): MsgHdrs {
  const { tenantId, mode, principal, requestId } = context;
  const result = headers();
  result.set(CONTEXT_HEADER, `${tenantId} ${mode} ${principal} ${Math.ceil(remainingMs)} ${requestId}`);
  setTrace(result, currentTrace() ?? context);
  return result;
}

const CONTEXT = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) (live|test) (\S*) (\d{1,9}) (\S*)$/;

/** The context of a message that has just been received. Its deadline is by the clock of this process. Null if it is missing, or if its mode differs from the tenant's; such a call is rejected. */
export function contextFromHeaders(received: MsgHdrs | undefined): CallContext | null {
  const [, tenantId, stated, principal, remainingMs, requestId] =
    CONTEXT.exec(received?.get(CONTEXT_HEADER) ?? '') ?? [];
  if (!received || tenantId === undefined || principal === undefined || requestId === undefined) return null;
  const mode = findMode(tenantId);
  if (mode === null || mode !== stated) return null;
  return {
    requestId,
    tenantId,
    mode,
    principal,
    deadlineAt: Date.now() + Number(remainingMs),
    ...traceOf(received),
  };
}
