import { runMigrateCommand } from '@kiln/platform';
import { fileURLToPath } from 'node:url';

runMigrateCommand({ service: '__name__', directory: fileURLToPath(new URL('../migrations/', import.meta.url)) });
