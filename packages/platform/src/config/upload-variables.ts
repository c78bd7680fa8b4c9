// The upload size limit. Shared by the process that accepts uploads and the one that sees signed uploads arrive.
import { UPLOAD_BYTES_MAX } from '@kiln/contracts';
import { z } from 'zod';

const GIBIBYTE = 1024 ** 3;

export const uploadVariables = {
  /** Bytes per file. */
  KILN_MAX_UPLOAD_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(UPLOAD_BYTES_MAX)
    .default(5 * GIBIBYTE),
};
