import type { MigrationClass } from '@kiln/platform';
import { CreateFiles1795251600000 } from './1795251600000-create-files.js';

/** In the order in which they run. */
export const migrations: readonly MigrationClass[] = [CreateFiles1795251600000];
