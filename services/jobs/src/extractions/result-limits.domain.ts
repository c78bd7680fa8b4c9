// The limits of results of own extractors.
import { defaultLimits } from '@kiln/extraction';

/** The markdown, in UTF-8. */
export const OUTPUT_BYTES_MAX = defaultLimits.outputBytesMax;
/** In JSON some characters take six bytes. If they are more than half of it, it is not text. */
const ESCAPING = 2;
const ENVELOPE_BYTES = 1_048_576;

/** The result as JSON. */
export const RESULT_BYTES_MAX = OUTPUT_BYTES_MAX * ESCAPING + ENVELOPE_BYTES;
