// An event that is about to be stated.
import type { EventData, EventDefinition } from '@kiln/contracts';

export interface NewEvent<Definition extends EventDefinition = EventDefinition> {
  definition: Definition;
  tenantId: string;
  /** What the event is about, as a TypeID. */
  subject: string;
  requestId?: string;
  data: EventData<Definition>;
}

/** Gives `newEvent` its type: the data is checked against the definition at compile time and again when appended. */
export function newEvent<Definition extends EventDefinition>(event: NewEvent<Definition>): NewEvent {
  return event;
}
