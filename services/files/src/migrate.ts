import { runMigrateCommand } from '@kiln/platform';
import { fileURLToPath } from 'node:url';

runMigrateCommand({ service: 'files', directory: fileURLToPath(new URL('../migrations/', import.meta.url)) });
