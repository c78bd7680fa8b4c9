import { analyticsOperations } from '@kiln/contracts';
import { startOrExit } from '@kiln/platform';
import { runService } from '@kiln/platform/nest';
import { AppModule } from './app.module.js';
import { loadAnalyticsConfig } from './config.js';
import { entities } from './entities.js';
import { migrations } from './migrations/index.js';

startOrExit(() =>
  runService({
    name: 'analytics',
    byIndex: true,
    loadConfig: loadAnalyticsConfig,
    entities,
    migrations,
    operations: () => Object.values(analyticsOperations),
    module: (config) => AppModule.with(config),
  }),
);
