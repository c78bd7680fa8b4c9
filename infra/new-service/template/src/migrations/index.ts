import type { MigrationClass } from '@kiln/platform';

/** In the order in which they run. */
export const migrations: readonly MigrationClass[] = [];
