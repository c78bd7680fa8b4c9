// `@OnEvent(filesEvents.fileCreated)` on a consumer method is Nest's @EventPattern with the contract: the method receives parsed
// data. It runs inside the inbox's transaction, so its writes take effect exactly once.
// `@OnEvents` receives a whole batch, without a transaction or an inbox: its effects must be safe to repeat.
import type { CloudEvent, EventData, EventDefinition } from '@kiln/contracts';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { EventContext } from './event-context.js';

type EventMethod<Definition extends EventDefinition> = (
  event: CloudEvent<EventData<Definition>>,
  context: EventContext,
) => Promise<void>;

type EventsMethod<Definition extends EventDefinition> = (events: CloudEvent<EventData<Definition>>[]) => Promise<void>;

type Decorator<Method> = (target: object, key: string, descriptor: TypedPropertyDescriptor<Method>) => void;

export function OnEvent<Definition extends EventDefinition>(definition: Definition) {
  return consumerOf<EventMethod<Definition>>(definition, { definition });
}

export function OnEvents<Definition extends EventDefinition>(definition: Definition, options: BatchOptions = {}) {
  return consumerOf<EventsMethod<Definition>>(definition, { definition, together: true, ...options });
}

function consumerOf<Method>({ type }: EventDefinition, extras: EventExtras) {
  return <Given extends Method>(...[target, key, descriptor]: Parameters<Decorator<Given>>): void => {
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
    const decorate = EventPattern(type, extras) as MethodDecorator;
    decorate(target, key, descriptor);
  };
}

export interface BatchOptions {
  /** Milliseconds from the start of a batch to that of the next, unless it is full. A first event is handled at once. Default 5. */
  paceMs?: number;
  /** The most events of a batch. Default 500. */
  batchSize?: number;
}

/** Metadata of a consumer method for the bus server. */
export interface EventExtras extends BatchOptions {
  definition: EventDefinition;
  /** The method receives all events of a batch. */
  together?: boolean;
}
