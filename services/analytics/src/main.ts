import { analyticsOperations } from '@kiln/contracts';
import { startOrExit } from '@kiln/platform';
import { runService } from '@kiln/platform/nest';
import { fileURLToPath } from 'node:url';
import { loadAnalyticsConfig } from './config.js';
import { AnalyticsModule } from './analytics.module.js';

startOrExit(() =>
  runService({
    name: 'analytics',
    loadConfig: loadAnalyticsConfig,
    migrationsDirectory: fileURLToPath(new URL('../migrations/', import.meta.url)),
    operations: () => Object.values(analyticsOperations),
    module: () => AnalyticsModule.with(),
  }),
);
