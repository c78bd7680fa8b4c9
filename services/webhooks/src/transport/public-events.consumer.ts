// Hears every public event that some service emits. The list is that of the contracts: a new public event is told to webhooks
// without a line here.
import { publicEvents, type CloudEvent } from '@kiln/contracts';
import type { CommitContext, EventContext } from '@kiln/platform';
import { OnEvent } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { FanOut } from '../usecases/fan-out.usecase.js';

@Controller()
export class PublicEventsConsumer {
  constructor(readonly fanOut: FanOut) {}

  readonly fanOutAll = (events: CloudEvent[], context: CommitContext) => this.fanOut.execute(events, context);
}

for (const definition of publicEvents) {
  const name = `on ${definition.type}`;
  const descriptor = {
    async value(this: PublicEventsConsumer, event: CloudEvent, { together }: EventContext): Promise<void> {
      together(this.fanOutAll, event);
    },
    configurable: true,
  };
  Object.defineProperty(PublicEventsConsumer.prototype, name, descriptor);
  OnEvent(definition)(PublicEventsConsumer.prototype, name, descriptor);
}
