import type { EntityClass } from '@kiln/platform';

/** All tables of this service, except those that every service has. */
export const entities: readonly EntityClass[] = [];
