// Text as answers hold it. The limits say how large an answer can get, so that lists stay under the size of a message.
import { z } from 'zod';

/** Text that JSON writes as it is: well-formed, without control characters. */
export const plainTextSchema = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u);
