import type { Drill } from './drill.js';
import { clock } from './faults/clock.js';
import { dns } from './faults/dns.js';
import { natsCluster } from './faults/nats-cluster.js';
import { objectStore } from './faults/object-store.js';
import { postgresDisk } from './faults/postgres-disk.js';
import { postgresFailover } from './faults/postgres-failover.js';
import { redis } from './faults/redis.js';
import { workerHost } from './faults/worker-host.js';

export const drills: readonly Drill[] = [
  postgresFailover,
  postgresDisk,
  natsCluster,
  redis,
  objectStore,
  dns,
  clock,
  workerHost,
];
