// The context of a call, to and from NATS headers.
import { CONTEXT_HEADER, findMode, TRACE_HEADER, type CallContext } from '@kiln/contracts';
import { headers, type MsgHdrs } from '@nats-io/transport-node';

export function contextToHeaders(context: CallContext): MsgHdrs {
  const { tenantId, mode, principal, deadlineAt, requestId, traceparent } = context;
  const result = headers();
  result.set(CONTEXT_HEADER, `${tenantId} ${mode} ${principal} ${Math.floor(deadlineAt)} ${requestId}`);
  if (traceparent) result.set(TRACE_HEADER, traceparent);
  return result;
}

const CONTEXT = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) (live|test) (\S*) (\d{1,16}) (\S*)$/;

/** The context of a received message; null when it lacks one, or its mode is not that of its tenant. Such a call is refused. */
export function contextFromHeaders(received: MsgHdrs | undefined): CallContext | null {
  const [, tenantId, stated, principal, deadline, requestId] = CONTEXT.exec(received?.get(CONTEXT_HEADER) ?? '') ?? [];
  if (!received || tenantId === undefined || principal === undefined || requestId === undefined) return null;
  const mode = findMode(tenantId);
  if (mode === null || mode !== stated) return null;
  const traceparent = received.get(TRACE_HEADER);
  return {
    requestId,
    tenantId,
    mode,
    principal,
    deadlineAt: Number(deadline),
    ...(traceparent ? { traceparent } : {}),
  };
}
