// The span of one attempt, in the trace of the event or in a new one. The path of an endpoint can be a secret, so only its
// host is recorded. No trace context is sent to the endpoint, which is a third party's.
import { encodeId } from '@kiln/contracts';
import { SpanKind, SpanStatusCode, startSpan, type Span } from '@kiln/platform';
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_SERVER_ADDRESS,
} from '@opentelemetry/semantic-conventions';
import type { HttpResult } from './http-sender.adapter.js';
import type { ClaimedDelivery } from './claim.store.js';

export function startDeliverySpan(delivery: ClaimedDelivery, origin: string): Span {
  const { traceparent, event_type: type, id, attempt } = delivery;
  return startSpan(`deliver ${type}`, {
    kind: SpanKind.CLIENT,
    parent: traceparent === null ? null : { traceparent },
    attributes: {
      [ATTR_HTTP_REQUEST_METHOD]: 'POST',
      [ATTR_SERVER_ADDRESS]: new URL(origin).hostname,
      'kiln.delivery.id': encodeId('delivery', id),
      'kiln.delivery.attempt': attempt,
    },
  });
}

export function endDeliverySpan(span: Span, { statusCode, error }: HttpResult): void {
  if (statusCode !== null) span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, statusCode);
  if (error !== null || statusCode === null || statusCode >= 400) {
    span.setAttribute(ATTR_ERROR_TYPE, error === null ? String(statusCode) : 'no_answer');
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
