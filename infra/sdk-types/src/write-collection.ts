// Writes the Postman collection: `npm run collection:generate`.
import { publishedDocument } from '@kiln/gateway/openapi-document';
import { writeFile } from 'node:fs/promises';
import type { OpenApi } from './open-api.js';
import { COLLECTION_FILE, postmanCollection } from './postman-collection.js';

await writeFile(COLLECTION_FILE, await postmanCollection(publishedDocument() as unknown as OpenApi));
console.log(`${COLLECTION_FILE} is written`);
