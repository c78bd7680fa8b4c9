// An event as it goes over the bus: CloudEvents 1.0 in its JSON format (https://github.com/cloudevents/spec, json-format.md).
import { modeOf, type CloudEvent } from '@kiln/contracts';
import type { NewEvent } from './new-event.js';

/**
 * Written out around its data: to look through ids and types, none of which holds what JSON would escape, for what JSON would escape takes
 * as long as all the rest. `relay.messages.ts` reads the begin. Throws when data does not fit its contract.
 */
export function envelopeOf(event: NewEvent, id: string): string {
  const { definition, tenantId, subject, requestId } = event;
  const data = JSON.stringify(definition.data.parse(event.data));
  const request = requestId ? `,"requestid":${JSON.stringify(requestId)}` : '';
  return (
    `{"specversion":"1.0","id":"${id}","source":"/kiln/${definition.owner}","type":"${definition.type}",` +
    `"subject":${JSON.stringify(subject)},"time":"${currentTime()}","datacontenttype":"application/json",` +
    `"tenantid":"${tenantId}","mode":"${modeOf(tenantId)}"${request},"data":${data}}`
  );
}

let shown = 0;
let text: CloudEvent['time'] = '';

/** Events come by the hundred in a millisecond. */
function currentTime(): string {
  const now = Date.now();
  if (now !== shown) {
    shown = now;
    text = new Date(now).toISOString();
  }
  return text;
}
