// An event before it is appended to the outbox.
import type { CloudEvent, EventData, EventDefinition, TraceContext } from '@kiln/contracts';
import type { LogContext } from '../observability/log-context.js';
import { currentTrace } from '../observability/tracing.js';

export interface NewEvent<Definition extends EventDefinition = EventDefinition> {
  definition: Definition;
  tenantId: string;
  /** The subject of the event, as a TypeID. */
  subject: string;
  requestId?: string;
  /** The trace of the event. Default: that of the request or message for which it is created. */
  trace?: TraceContext | undefined;
  data: EventData<Definition>;
}

/** The context of the work on an event: that of the request for which it was created. */
export const logContextOf = ({ id: eventId, requestid: requestId, ...trace }: CloudEvent): LogContext => ({
  eventId,
  requestId,
  trace: { traceparent: trace.traceparent, tracestate: trace.tracestate },
});

/** Types the data of an event. It is checked at compile time, and validated when appended. */
export function newEvent<Definition extends EventDefinition>(event: NewEvent<Definition>): NewEvent {
  return event.trace === undefined ? { ...event, trace: currentTrace() } : event;
}
