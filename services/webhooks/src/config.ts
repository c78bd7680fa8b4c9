import {
  databaseVariables,
  encryptionVariables,
  loadConfig,
  outboundVariables,
  processVariables,
} from '@kiln/platform';
import { z } from 'zod';

const variables = z.object({
  ...processVariables,
  ...databaseVariables,
  ...encryptionVariables,
  ...outboundVariables,
  /** The maximum number of quick deliveries under way at a time. As many again may hang. */
  KILN_WEBHOOK_CONCURRENCY: z.coerce.number().int().min(1).max(4_096).default(256),
  /** The maximum number of deliveries under way at a time to one endpoint that answers quickly. Other endpoints get fewer. */
  KILN_WEBHOOK_ENDPOINT_CONCURRENCY: z.coerce.number().int().min(1).max(256).default(16),
});

export type WebhooksConfig = Readonly<z.output<typeof variables>>;

/** Injection token of the configuration. */
export const WEBHOOKS_CONFIG = Symbol('webhooks config');

export const loadWebhooksConfig = (): WebhooksConfig => loadConfig(variables, process.env);
