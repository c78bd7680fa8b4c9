import type { MigrationClass } from '@kiln/platform';
import { CreateTextIndex1795251600000 } from './1795251600000-create-text-index.js';

/** In the order in which they run. */
export const migrations: readonly MigrationClass[] = [CreateTextIndex1795251600000];
