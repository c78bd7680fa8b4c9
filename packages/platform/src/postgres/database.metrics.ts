// The use of a process's pool of database connections.
import type { Metrics } from '../observability/metrics.js';
import type { Database } from './database.js';

export function observePool(metrics: Pick<Metrics, 'gauges'>, database: Pick<Database, 'connectionUse'>): void {
  metrics.gauges(
    [
      { name: 'kiln_database_connections', help: 'Open connections of the pool, by state (used, idle)' },
      { name: 'kiln_database_connections_max', help: 'The maximum number of connections of the pool' },
      { name: 'kiln_database_waiting_requests', help: 'Requests that wait for a connection of the pool' },
    ],
    async () => {
      const { used, idle, max, waiting } = database.connectionUse;
      return {
        kiln_database_connections: [
          { labels: { state: 'used' }, value: used },
          { labels: { state: 'idle' }, value: idle },
        ],
        kiln_database_connections_max: [{ labels: {}, value: max }],
        kiln_database_waiting_requests: [{ labels: {}, value: waiting }],
      };
    },
  );
}
