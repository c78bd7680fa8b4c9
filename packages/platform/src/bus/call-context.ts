// The context of a call, to and from NATS headers.
import { CONTEXT_HEADER, TRACE_HEADER, type CallContext } from '@kiln/contracts';
import { headers, type MsgHdrs } from '@nats-io/transport-node';

export function contextToHeaders({ tenantId, principal, deadlineAt, requestId, traceparent }: CallContext): MsgHdrs {
  const result = headers();
  result.set(CONTEXT_HEADER, `${tenantId} ${principal} ${Math.floor(deadlineAt)} ${requestId}`);
  if (traceparent) result.set(TRACE_HEADER, traceparent);
  return result;
}

const CONTEXT = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) (\S*) (\d{1,16}) (\S*)$/;

/** The context of a received message, or null when it lacks one: nothing without a tenant is ever answered. */
export function contextFromHeaders(received: MsgHdrs | undefined): CallContext | null {
  const [, tenantId, principal, deadline, requestId] = CONTEXT.exec(received?.get(CONTEXT_HEADER) ?? '') ?? [];
  if (!received || tenantId === undefined || principal === undefined || requestId === undefined) return null;
  const traceparent = received.get(TRACE_HEADER);
  return { requestId, tenantId, principal, deadlineAt: Number(deadline), ...(traceparent ? { traceparent } : {}) };
}
