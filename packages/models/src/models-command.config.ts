/** Where `kiln models` keeps models, and where it gets them. */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const HUB_URL = 'https://huggingface.co';
const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

export function commandPlaces(environment: Readonly<Record<string, string | undefined>> = process.env) {
  const dataDirectory = resolve(environment['KILN_DATA_DIR'] ?? join(REPOSITORY, '.kiln'));
  const hubUrl = (environment['KILN_MODELS_URL'] ?? HUB_URL).replace(/\/+$/, '');
  return { modelsFolder: join(dataDirectory, 'models'), hubUrl };
}
