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
  /** Deliveries under way at a time, those that hang not counted; at most twice as many with them. */
  KILN_WEBHOOK_CONCURRENCY: z.coerce.number().int().min(1).max(4_096).default(256),
  /** Deliveries under way at a time to one endpoint that answers quickly. Others get fewer. */
  KILN_WEBHOOK_ENDPOINT_CONCURRENCY: z.coerce.number().int().min(1).max(256).default(16),
});

export type WebhooksConfig = Readonly<z.output<typeof variables>>;

/** Injection token of the configuration. */
export const WEBHOOKS_CONFIG = Symbol('webhooks config');

export const loadWebhooksConfig = (): WebhooksConfig => loadConfig(variables, process.env);
