import { webhooksOperations } from '@kiln/contracts';
import { startOrExit } from '@kiln/platform';
import { runService } from '@kiln/platform/nest';
import { fileURLToPath } from 'node:url';
import { loadWebhooksConfig } from './config.js';
import { WebhooksModule } from './webhooks.module.js';

startOrExit(() =>
  runService({
    name: 'webhooks',
    loadConfig: loadWebhooksConfig,
    migrationsDirectory: fileURLToPath(new URL('../migrations/', import.meta.url)),
    operations: ({ KILN_ROLE }) => (KILN_ROLE === 'worker' ? [] : Object.values(webhooksOperations)),
    module: (config, platform) => WebhooksModule.with(config, platform),
  }),
);
