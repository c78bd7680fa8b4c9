// Writes the generated files of the SDK: `npm run sdk:generate`.
import { publishedDocument } from '@kiln/gateway/openapi-document';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GENERATED_FOLDER, generatedFiles } from './generated-files.js';
import type { OpenApi } from './open-api.js';

const files = await generatedFiles(publishedDocument() as unknown as OpenApi);
await rm(GENERATED_FOLDER, { recursive: true, force: true });
await mkdir(GENERATED_FOLDER, { recursive: true });
for (const [name, text] of files) await writeFile(join(GENERATED_FOLDER, name), text);
console.log(`${files.size} files written to packages/sdk/src/generated`);
