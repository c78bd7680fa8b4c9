import type { MigrationClass } from '@kiln/platform';
import { Create__Noun__s__time__ } from './__time__-create-__noun__s.js';

/** In the order in which they run. */
export const migrations: readonly MigrationClass[] = [Create__Noun__s__time__];
