// The limits of what an own extractor answers.
import { defaultLimits } from '@kiln/extraction';

/** The markdown, in UTF-8. */
export const OUTPUT_BYTES_MAX = defaultLimits.outputBytesMax;
/** In JSON some characters take six bytes. Text of which such characters are more than half is not text of a document. */
const ESCAPING = 2;
const ENVELOPE_BYTES = 1_048_576;

/** The result as JSON. */
export const RESULT_BYTES_MAX = OUTPUT_BYTES_MAX * ESCAPING + ENVELOPE_BYTES;
