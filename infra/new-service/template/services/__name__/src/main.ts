import { __name__Operations } from '@kiln/contracts';
import { startOrExit } from '@kiln/platform';
import { runService } from '@kiln/platform/nest';
import { AppModule } from './app.module.js';
import { load__Name__Config } from './config.js';
import { entities } from './entities.js';
import { migrations } from './migrations/index.js';

startOrExit(() =>
  runService({
    name: '__name__',
    loadConfig: load__Name__Config,
    entities,
    migrations,
    operations: () => Object.values(__name__Operations),
    module: () => ({ module: AppModule }),
  }),
);
