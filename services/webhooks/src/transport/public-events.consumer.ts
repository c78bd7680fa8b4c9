// Hears every public event that some service emits. The list is that of the contracts: a new public event is told to webhooks
// without a line here.
import { publicEvents, type CloudEvent } from '@kiln/contracts';
import type { EventsContext } from '@kiln/platform';
import { OnEvents } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { FanOut } from '../usecases/fan-out.usecase.js';

@Controller()
export class PublicEventsConsumer {
  constructor(readonly fanOut: FanOut) {}
}

for (const definition of publicEvents) {
  const name = `on ${definition.type}`;
  const descriptor = {
    value(this: PublicEventsConsumer, events: CloudEvent[], context: EventsContext): Promise<void> {
      return this.fanOut.execute(definition.type, events, context);
    },
    configurable: true,
  };
  Object.defineProperty(PublicEventsConsumer.prototype, name, descriptor);
  OnEvents(definition)(PublicEventsConsumer.prototype, name, descriptor);
}
