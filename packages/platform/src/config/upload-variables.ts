// The limit on uploads, for the process that takes them and for the one that sees those arrive that went past it.
import { UPLOAD_BYTES_MAX } from '@kiln/contracts';
import { z } from 'zod';

const GIBIBYTE = 1024 ** 3;

export const uploadVariables = {
  /** Bytes of one file. */
  KILN_MAX_UPLOAD_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(UPLOAD_BYTES_MAX)
    .default(5 * GIBIBYTE),
};
