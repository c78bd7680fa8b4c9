import type { MigrationClass } from '../postgres/migration.js';
import { CreateOutboxAndInbox1795219260000 } from './1795219260000-create-outbox-and-inbox.js';
import { CreateDayPartitions1795219320000 } from './1795219320000-create-day-partitions.js';

/** Migrations of what every service has, in the order in which they run. */
export const platformMigrations: readonly MigrationClass[] = [
  CreateOutboxAndInbox1795219260000,
  CreateDayPartitions1795219320000,
];
