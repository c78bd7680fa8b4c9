import type { MigrationClass } from '@kiln/platform';
import { CreateRequestLog1795392000000 } from './1795392000000-create-request-log.js';
import { CreateFactsAndRollups1795392060000 } from './1795392060000-create-facts-and-rollups.js';

/** In the order in which they run. */
export const migrations: readonly MigrationClass[] = [
  CreateRequestLog1795392000000,
  CreateFactsAndRollups1795392060000,
];
