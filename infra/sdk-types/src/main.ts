// Writes the generated files of the SDKs: `npm run sdk:generate`.
import { publishedDocument } from '@kiln/gateway/openapi-document';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GENERATED_FOLDER, generatedFiles } from './generated-files.js';
import type { OpenApi } from './open-api.js';
import { PYTHON_FOLDER, pythonFiles } from './python/generated-files.js';

const document = publishedDocument() as unknown as OpenApi;
for (const [folder, files] of [
  [GENERATED_FOLDER, await generatedFiles(document)],
  [PYTHON_FOLDER, pythonFiles(document)],
] as const) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  console.log(`${files.size} files written to ${folder}`);
}
