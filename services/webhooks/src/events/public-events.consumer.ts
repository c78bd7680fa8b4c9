// Consumes every public event. The list comes from the contracts: a new public event is delivered to webhooks
// without a change here.
import { publicEvents, type CloudEvent } from '@kiln/contracts';
import { OnEvents } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { FanOut } from './fan-out.usecase.js';

@Controller()
export class PublicEventsConsumer {
  constructor(readonly fanOut: FanOut) {}
}

for (const definition of publicEvents) {
  const name = `on ${definition.type}`;
  const descriptor = {
    value(this: PublicEventsConsumer, events: CloudEvent[]): Promise<void> {
      return this.fanOut.execute(events);
    },
    configurable: true,
  };
  Object.defineProperty(PublicEventsConsumer.prototype, name, descriptor);
  OnEvents(definition)(PublicEventsConsumer.prototype, name, descriptor);
}
