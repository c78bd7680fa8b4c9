import type { EntityClass } from '@kiln/platform';

/** Every table of this service, beside those that all services have. */
export const entities: readonly EntityClass[] = [];
