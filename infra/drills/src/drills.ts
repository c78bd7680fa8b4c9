import type { Drill } from './drill.js';
import { objectStore } from './faults/object-store.js';
import { postgresDisk } from './faults/postgres-disk.js';
import { postgresFailover } from './faults/postgres-failover.js';
import { redis } from './faults/redis.js';

export const drills: readonly Drill[] = [postgresFailover, postgresDisk, redis, objectStore];
