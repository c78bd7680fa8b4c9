import { filesOperations } from '@kiln/contracts';
import { eventLimitsOf, startOrExit } from '@kiln/platform';
import { runService } from '@kiln/platform/nest';
import { AppModule } from './app.module.js';
import { loadFilesConfig } from './config.js';
import { entities } from './entities.js';
import { migrations } from './migrations/index.js';

startOrExit(() =>
  runService({
    name: 'files',
    loadConfig: loadFilesConfig,
    byIndex: true,
    entities,
    migrations,
    operations: () => Object.values(filesOperations),
    eventLimits: eventLimitsOf,
    module: (config) => AppModule.with(config),
  }),
);
