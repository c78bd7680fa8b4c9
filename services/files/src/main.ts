import { filesOperations } from '@kiln/contracts';
import { startOrExit } from '@kiln/platform';
import { runService } from '@kiln/platform/nest';
import { fileURLToPath } from 'node:url';
import { loadFilesConfig } from './config.js';
import { FilesModule } from './files.module.js';

startOrExit(() =>
  runService({
    name: 'files',
    loadConfig: loadFilesConfig,
    migrationsDirectory: fileURLToPath(new URL('../migrations/', import.meta.url)),
    operations: () => Object.values(filesOperations),
    module: (config, platform) => FilesModule.with(config, platform),
  }),
);
