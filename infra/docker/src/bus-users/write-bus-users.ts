// Writes the users of the broker. Run it after a service calls or consumes something else, or after a new service.
import { writeFileSync } from 'node:fs';
import { usersFile, usersFilePaths } from './users-file.js';

for (const path of usersFilePaths) writeFileSync(path, usersFile);
