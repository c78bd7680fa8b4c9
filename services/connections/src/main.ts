import { connectionsOperations } from '@kiln/contracts';
import { startOrExit } from '@kiln/platform';
import { runService } from '@kiln/platform/nest';
import { AppModule } from './app.module.js';
import { loadConnectionsConfig } from './config.js';
import { entities } from './entities.js';
import { migrations } from './migrations/index.js';

startOrExit(() =>
  runService({
    name: 'connections',
    loadConfig: loadConnectionsConfig,
    inOrder: true,
    entities,
    migrations,
    operations: ({ KILN_ROLE }) => (KILN_ROLE === 'worker' ? [] : Object.values(connectionsOperations)),
    module: (config) => AppModule.with(config),
  }),
);
