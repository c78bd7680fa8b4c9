import { databaseVariables, loadConfig, processVariables } from '@kiln/platform';
import { z } from 'zod';

const variables = z.object({ ...processVariables, ...databaseVariables });

export type WebhooksConfig = Readonly<z.output<typeof variables>>;

export const loadWebhooksConfig = (): WebhooksConfig => loadConfig(variables, process.env);
