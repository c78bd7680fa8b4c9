// `@OnEvent(filesEvents.fileCreated)` on a consumer method: Nest's @EventPattern plus the contract, so that data is parsed
// before it arrives. The method runs inside the inbox's transaction: what it writes with it counts exactly once.
import type { CloudEvent, EventData, EventDefinition } from '@kiln/contracts';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { EventContext } from './event-context.js';

type EventMethod<Definition extends EventDefinition> = (
  event: CloudEvent<EventData<Definition>>,
  context: EventContext,
) => Promise<void>;

export function OnEvent<Definition extends EventDefinition>(definition: Definition) {
  return <Method extends EventMethod<Definition>>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
    const decorate = EventPattern(definition.type, { definition }) as MethodDecorator;
    decorate(target, key, descriptor);
  };
}
