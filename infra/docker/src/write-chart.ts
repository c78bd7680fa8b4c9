// Writes the objects of the Helm chart. Run it after a change of k8s/.
import { writeFileSync } from 'node:fs';
import { chartFiles } from './chart-objects.js';

for (const { path, text } of chartFiles) writeFileSync(path, text);
