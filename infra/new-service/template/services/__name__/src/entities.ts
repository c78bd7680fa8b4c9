import type { EntityClass } from '@kiln/platform';
import { __Noun__Entity } from './__noun__s/__noun__.entity.js';

/** All tables of this service, except those that every service has. */
export const entities: readonly EntityClass[] = [__Noun__Entity];
