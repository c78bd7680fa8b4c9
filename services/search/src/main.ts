import { fileURLToPath } from 'node:url';
import { searchOperations } from '@kiln/contracts';
import { startOrExit } from '@kiln/platform';
import { runService } from '@kiln/platform/nest';
import { loadSearchConfig } from './config.js';
import { SearchModule } from './search.module.js';

startOrExit(() =>
  runService({
    name: 'search',
    // Tables of tenants that have just begun are small: a plan made for them would read all of them later.
    byIndex: true,
    loadConfig: loadSearchConfig,
    migrationsDirectory: fileURLToPath(new URL('../migrations/', import.meta.url)),
    operations: () => Object.values(searchOperations),
    module: (config) => SearchModule.with(config),
  }),
);
