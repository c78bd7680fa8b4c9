import {
  checkStorageVariables,
  databaseVariables,
  loadConfig,
  processVariables,
  storageVariables,
  uploadVariables,
} from '@kiln/platform';
import { z } from 'zod';

const variables = z
  .object({
    ...processVariables,
    ...databaseVariables,
    ...storageVariables,
    ...uploadVariables,
    /** Lifetime of signed URLs, in seconds. */
    KILN_SIGNED_URL_SECONDS: z.coerce.number().int().min(1).max(604_800).default(3600),
    /** More orphans than this share of the objects that a search has seen are not removed. */
    KILN_ORPHANS_PERCENT_MAX: z.coerce.number().int().min(0).max(100).default(5),
    /** Bearer token of the object store's arrival notifications; without it they are refused and uploads are polled. */
    KILN_STORAGE_EVENTS_TOKEN: z.string().min(16).optional(),
  })
  .superRefine(checkStorageVariables);

export type FilesConfig = Readonly<z.output<typeof variables>>;

export const loadFilesConfig = (): FilesConfig => loadConfig(variables, process.env);
