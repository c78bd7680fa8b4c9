import { runMigrateCommand } from '@kiln/platform';
import { fileURLToPath } from 'node:url';

runMigrateCommand({ service: 'jobs', directory: fileURLToPath(new URL('../migrations/', import.meta.url)) });
