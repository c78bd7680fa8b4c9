// The wire format of an event: CloudEvents 1.0 in its JSON format (https://github.com/cloudevents/spec, json-format.md).
import { modeOf, type CloudEvent } from '@kiln/contracts';
import type { NewEvent } from './new-event.js';

/** Throws if the data does not match the contract. */
export function envelopeOf({ definition, tenantId, subject, requestId, trace, data }: NewEvent, id: string): string {
  const envelope: CloudEvent = {
    specversion: '1.0',
    id,
    source: `/kiln/${definition.owner}`,
    type: definition.type,
    subject,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    tenantid: tenantId,
    mode: modeOf(tenantId),
    ...(requestId ? { requestid: requestId } : {}),
    ...trace,
    data: definition.data.parse(data),
  };
  return JSON.stringify(envelope);
}
