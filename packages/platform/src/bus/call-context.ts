// The context of a call, to and from NATS headers.
import { contextHeaders, type CallContext } from '@kiln/contracts';
import { headers, type MsgHdrs } from '@nats-io/transport-node';

export function contextToHeaders(context: CallContext): MsgHdrs {
  const result = headers();
  result.set(contextHeaders.requestId, context.requestId);
  result.set(contextHeaders.tenantId, context.tenantId);
  result.set(contextHeaders.principal, context.principal);
  result.set(contextHeaders.deadlineAt, String(Math.floor(context.deadlineAt)));
  if (context.traceparent) result.set(contextHeaders.traceparent, context.traceparent);
  return result;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The context of a received message, or null when it lacks one: nothing without a tenant is ever answered. */
export function contextFromHeaders(received: MsgHdrs | undefined): CallContext | null {
  if (!received) return null;
  const tenantId = received.get(contextHeaders.tenantId);
  const deadlineAt = Number(received.get(contextHeaders.deadlineAt));
  if (!UUID.test(tenantId) || !Number.isFinite(deadlineAt) || deadlineAt <= 0) return null;
  const traceparent = received.get(contextHeaders.traceparent);
  return {
    requestId: received.get(contextHeaders.requestId),
    tenantId,
    principal: received.get(contextHeaders.principal),
    deadlineAt,
    ...(traceparent ? { traceparent } : {}),
  };
}
