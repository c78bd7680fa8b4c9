import type { MigrationClass } from '../postgres/migration.js';
import { CreateOutboxAndInbox1795219260000 } from './1795219260000-create-outbox-and-inbox.js';

/** Migrations of the tables that every service has, in the order in which they run. */
export const platformMigrations: readonly MigrationClass[] = [CreateOutboxAndInbox1795219260000];
