import {
  checkStorageVariables,
  databaseVariables,
  loadConfig,
  processVariables,
  storageVariables,
} from '@kiln/platform';
import { z } from 'zod';

const schema = z
  .object({ ...processVariables, ...databaseVariables, ...storageVariables })
  .superRefine(checkStorageVariables);

export type SearchConfig = Readonly<z.output<typeof schema>>;

/** Injection token of the configuration. */
export const SEARCH_CONFIG = Symbol('search config');

export const loadSearchConfig = (): SearchConfig => loadConfig(schema, process.env);
