// Text in responses. The limits bound the size of a response, so that lists stay below the message size limit.
import { z } from 'zod';

/** Text that JSON writes without escapes: well-formed, without control characters. */
export const plainTextSchema = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u);
