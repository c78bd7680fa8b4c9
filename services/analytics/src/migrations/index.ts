import type { MigrationClass } from '@kiln/platform';
import { CreateRequestLog1795392000000 } from './1795392000000-create-request-log.js';

/** In the order in which they run. */
export const migrations: readonly MigrationClass[] = [CreateRequestLog1795392000000];
