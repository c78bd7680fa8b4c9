import { filesOperations } from '@kiln/contracts';
import { startOrExit } from '@kiln/platform';
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
    module: (config) => AppModule.with(config),
  }),
);
