import type { EntityClass } from '@kiln/platform';
import { LoggedRequestEntity } from './requests/logged-request.entity.js';

/** Every table of this service, beside those that all services have. */
export const entities: readonly EntityClass[] = [LoggedRequestEntity];
