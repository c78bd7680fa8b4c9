// The lifetime of signed URLs. Shared by the process that lets the object store sign them and the one that signs its own.
import { z } from 'zod';

export const signedUrlVariables = {
  /** Seconds. Object stores allow at most a week. */
  KILN_SIGNED_URL_SECONDS: z.coerce.number().int().min(1).max(604_800).default(3600),
};
