import {
  checkStorageVariables,
  databaseVariables,
  eventVariables,
  loadConfig,
  processVariables,
  signedUrlVariables,
  storageVariables,
  uploadVariables,
} from '@kiln/platform';
import { z } from 'zod';

const variables = z
  .object({
    ...processVariables,
    ...databaseVariables,
    ...eventVariables,
    ...storageVariables,
    ...uploadVariables,
    ...signedUrlVariables,
    /** How long an upload in parts may take. */
    KILN_PART_UPLOAD_HOURS: z.coerce.number().int().min(1).max(720).default(168),
    /** The highest share of orphans among the objects of a search, in percent. With more, none is removed. */
    KILN_ORPHANS_PERCENT_MAX: z.coerce.number().int().min(0).max(100).default(5),
    /**
     * Bearer token of the object store's event notifications. Without it notifications are refused, and uploads are found by
     * polling.
     */
    KILN_STORAGE_EVENTS_TOKEN: z.string().min(16).optional(),
  })
  .superRefine(checkStorageVariables);

export type FilesConfig = Readonly<z.output<typeof variables>>;

/** Injection tokens. */
export const FILES_CONFIG = Symbol('files config');
export const OBJECT_STORE = Symbol('object store');
/** How long a signed URL is valid. */
export const SIGNED_URL_SECONDS = Symbol('signed URL seconds');
/** How long an upload in parts may take. */
export const PART_UPLOAD_SECONDS = Symbol('part upload seconds');
export const UPLOAD_BYTES_MAX = Symbol('upload bytes max');
/** Tests inject another longest sleep of the workers. */
export const SAFETY_POLL_MS = Symbol('safety poll');

export const loadFilesConfig = (): FilesConfig => loadConfig(variables, process.env);
