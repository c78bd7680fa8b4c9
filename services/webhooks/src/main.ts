import { webhooksOperations } from '@kiln/contracts';
import { startOrExit } from '@kiln/platform';
import { runService } from '@kiln/platform/nest';
import { loadWebhooksConfig } from './config.js';
import { migrations } from './migrations/index.js';
import { AppModule } from './app.module.js';
import { entities } from './entities.js';

startOrExit(() =>
  runService({
    name: 'webhooks',
    byIndex: true,
    loadConfig: loadWebhooksConfig,
    entities,
    migrations,
    operations: ({ KILN_ROLE }) => (KILN_ROLE === 'worker' ? [] : Object.values(webhooksOperations)),
    module: (config) => AppModule.with(config),
  }),
);
