import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. This file is compiled to infra/dev/dist/. */
export const repositoryDirectory = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** Where Node keeps compiled code, so that later processes start with less work. https://nodejs.org/api/module.html#module-compile-cache */
export const compileCache = { NODE_COMPILE_CACHE: join(repositoryDirectory, 'node_modules/.cache/node') };
