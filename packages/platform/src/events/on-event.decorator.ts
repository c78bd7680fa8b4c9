// `@OnEvent(filesEvents.fileCreated)` on a consumer method: Nest's @EventPattern plus the contract, so that data is parsed
// before it arrives. The method runs inside the inbox's transaction: what it writes with it counts exactly once.
// `@OnEvents` gets what came together instead, before any transaction, and decides itself which of them have an effect.
import type { CloudEvent, EventData, EventDefinition } from '@kiln/contracts';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { EventContext, EventsContext } from './event-context.js';

type EventMethod<Definition extends EventDefinition> = (
  event: CloudEvent<EventData<Definition>>,
  context: EventContext,
) => Promise<void>;

type EventsMethod<Definition extends EventDefinition> = (
  events: CloudEvent<EventData<Definition>>[],
  context: EventsContext,
) => Promise<void>;

type Decorator<Method> = (target: object, key: string, descriptor: TypedPropertyDescriptor<Method>) => void;

export function OnEvent<Definition extends EventDefinition>(definition: Definition) {
  return consumerOf<EventMethod<Definition>>(definition, { definition });
}

export function OnEvents<Definition extends EventDefinition>(definition: Definition) {
  return consumerOf<EventsMethod<Definition>>(definition, { definition, together: true });
}

function consumerOf<Method>({ type }: EventDefinition, extras: EventExtras) {
  return <Given extends Method>(...[target, key, descriptor]: Parameters<Decorator<Given>>): void => {
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
    const decorate = EventPattern(type, extras) as MethodDecorator;
    decorate(target, key, descriptor);
  };
}

/** What the bus server is told of a consumer method. */
export interface EventExtras {
  definition: EventDefinition;
  /** The method takes all events of a batch. */
  together?: boolean;
}
