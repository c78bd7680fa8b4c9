import type { MigrationClass } from '@kiln/platform';
import { CreateWebhooks1795273200000 } from './1795273200000-create-webhooks.js';
import { AddWebhookSpaces1795996800000 } from './1795996800000-add-webhook-spaces.js';
import { AddEarlierSecrets1796200000000 } from './1796200000000-add-earlier-secrets.js';

/** In the order in which they run. */
export const migrations: readonly MigrationClass[] = [
  CreateWebhooks1795273200000,
  AddWebhookSpaces1795996800000,
  AddEarlierSecrets1796200000000,
];
