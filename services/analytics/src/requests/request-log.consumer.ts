import { gatewayEvents, type CloudEvent, type EventData } from '@kiln/contracts';
import { OnEvents } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { RecordRequests } from './record-requests.usecase.js';

@Controller()
export class RequestLogConsumer {
  constructor(private readonly record: RecordRequests) {}

  @OnEvents(gatewayEvents.requestsLogged)
  onRequestsLogged(events: CloudEvent<EventData<typeof gatewayEvents.requestsLogged>>[]): Promise<void> {
    return this.record.execute(events);
  }
}
