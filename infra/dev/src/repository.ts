import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. This file is compiled to infra/dev/dist/. */
export const repositoryDirectory = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
