// An event before it is appended to the outbox.
import type { EventData, EventDefinition, TraceContext } from '@kiln/contracts';
import { currentTrace, isTracing } from '../observability/tracing.js';

export interface NewEvent<Definition extends EventDefinition = EventDefinition> {
  definition: Definition;
  tenantId: string;
  /** The subject of the event, as a TypeID. */
  subject: string;
  requestId?: string;
  /** The trace of the event. Default: the span that is active when it is created. */
  trace?: TraceContext | undefined;
  data: EventData<Definition>;
}

/** Types the data of an event. It is checked at compile time, and validated when appended. */
export function newEvent<Definition extends EventDefinition>(event: NewEvent<Definition>): NewEvent {
  return isTracing() && event.trace === undefined ? { ...event, trace: currentTrace() } : event;
}
