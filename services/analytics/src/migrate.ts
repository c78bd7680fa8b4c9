import { runMigrateCommand } from '@kiln/platform';
import { migrations } from './migrations/index.js';

runMigrateCommand({ service: 'analytics', migrations, byIndex: true });
