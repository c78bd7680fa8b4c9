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

export const loadSearchConfig = (): SearchConfig => loadConfig(schema, process.env);
