// Writes the context of a call to NATS headers, and reads it back.
import { CONTEXT_HEADER, findMode, type CallContext } from '@kiln/contracts';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { currentTrace } from '../observability/tracing.js';
import { setTrace, traceOf } from './trace-headers.js';

export function contextToHeaders(context: CallContext): MsgHdrs {
  const { tenantId, mode, principal, deadlineAt, requestId } = context;
  const result = headers();
  result.set(CONTEXT_HEADER, `${tenantId} ${mode} ${principal} ${Math.floor(deadlineAt)} ${requestId}`);
  setTrace(result, currentTrace() ?? context);
  return result;
}

const CONTEXT = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) (live|test) (\S*) (\d{1,16}) (\S*)$/;

/** The context of a received message. Null if it is missing, or if its mode differs from the tenant's; such a call is rejected. */
export function contextFromHeaders(received: MsgHdrs | undefined): CallContext | null {
  const [, tenantId, stated, principal, deadline, requestId] = CONTEXT.exec(received?.get(CONTEXT_HEADER) ?? '') ?? [];
  if (!received || tenantId === undefined || principal === undefined || requestId === undefined) return null;
  const mode = findMode(tenantId);
  if (mode === null || mode !== stated) return null;
  return {
    requestId,
    tenantId,
    mode,
    principal,
    deadlineAt: Number(deadline),
    ...traceOf(received),
  };
}
