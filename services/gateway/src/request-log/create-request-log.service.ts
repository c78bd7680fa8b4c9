// The request log with its real parts: keys from the gateway's schema, events published to JetStream without an outbox. A request must
// not wait for its log entry, and an entry may be lost.
import { gatewayEvents } from '@kiln/contracts';
import type { Database, EventPublisher, Logger, Metrics } from '@kiln/platform';
import { KnownKeyStore } from './known-key.store.js';
import { RequestLog } from './request-log.service.js';

export interface RequestLogSurroundings {
  publisher: EventPublisher;
  database: Database;
  metrics: Metrics;
  logger: Logger;
}

export function createRequestLog({ publisher, database, metrics, logger }: RequestLogSurroundings) {
  const keys = new KnownKeyStore(database);
  const dropped = metrics.counter(
    'kiln_request_log_dropped_total',
    'Request log entries given up because the bus was away for too long',
  );
  const definition = gatewayEvents.requestsLogged;
  return new RequestLog({
    findKeys: (hashes) => keys.find(hashes),
    publish: (tenantId, requests) =>
      publisher.publish({ definition, tenantId, subject: 'api-requests', data: { requests } }),
    onDropped: (entries) => dropped.add(entries),
    logger,
  });
}
