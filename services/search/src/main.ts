import { searchOperations } from '@kiln/contracts';
import { startOrExit } from '@kiln/platform';
import { runService } from '@kiln/platform/nest';
import { AppModule } from './app.module.js';
import { loadSearchConfig } from './config.js';
import { entities } from './entities.js';
import { migrations } from './migrations/index.js';

startOrExit(() =>
  runService({
    name: 'search',
    // Plans are cached. Tables may be small when a statement is planned, and a plan for small tables scans them completely. Planning a
    // search also takes longer than running it.
    lookUps: true,
    loadConfig: loadSearchConfig,
    entities,
    migrations,
    operations: () => Object.values(searchOperations),
    module: (config) => AppModule.with(config),
  }),
);
