import { runMigrateCommand } from '@kiln/platform';
import { migrations } from './migrations/index.js';

runMigrateCommand({ service: 'files', migrations, byIndex: true });
