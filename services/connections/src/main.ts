import { connectionsOperations } from '@kiln/contracts';
import { startOrExit } from '@kiln/platform';
import { runService } from '@kiln/platform/nest';
import { fileURLToPath } from 'node:url';
import { loadConnectionsConfig } from './config.js';
import { ConnectionsModule } from './connections.module.js';

startOrExit(() =>
  runService({
    name: 'connections',
    loadConfig: loadConnectionsConfig,
    migrationsDirectory: fileURLToPath(new URL('../migrations/', import.meta.url)),
    operations: ({ KILN_ROLE }) => (KILN_ROLE === 'worker' ? [] : Object.values(connectionsOperations)),
    module: (config, platform) => ConnectionsModule.with(config, platform),
  }),
);
