// Variables of the processes that read documents: workers, and extractors.
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isLanguageName, shippedLanguages } from '@kiln/ocr/ocr-languages';
import { z } from 'zod';

const languageName = z.string().refine(isLanguageName, {
  abort: true,
  error: ({ input }) => `names ${JSON.stringify(input)}: write languages as Tesseract does, such as eng,rus,chi_sim`,
});

export const extractionVariables = {
  /** Where a document is kept while it is read. */
  KILN_SCRATCH_DIR: z.string().default(join(tmpdir(), 'kiln-scratch')),
  /** Documents that are read at a time, each in a process of its own. The jobs of further ones stay queued. */
  KILN_EXTRACTION_PROCESSES: z.coerce.number().int().min(1).max(64).default(2),
  /**
   * `required`: does not start where these processes cannot be put into namespaces. `preferred`: then reads documents in plain child
   * processes. ADR 21 says what each isolation promises.
   */
  KILN_EXTRACTION_ISOLATION: z.enum(['required', 'preferred']).default('required'),
  /** Documents after which an extraction process is replaced. With 1, no document is read by a process that has read another. */
  KILN_EXTRACTION_PROCESS_DOCUMENTS: z.coerce.number().int().min(1).default(1_000),
  /** Memory of one extraction process, above which it is killed. */
  KILN_EXTRACTION_MEMORY_BYTES: z.coerce.number().int().min(134_217_728).default(1_073_741_824),
  /** Milliseconds one document may take to extract. */
  KILN_EXTRACTION_DEADLINE_MS: z.coerce.number().int().min(1_000).default(120_000),
  /** Languages of scanned documents and images, separated by commas. They are read in the first, until their text shows another language. */
  KILN_OCR_LANGUAGES: z
    .string()
    .default(shippedLanguages.join(','))
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.tuple([languageName], languageName)),
  /** A directory with `<language>.traineddata` of Tesseract, for languages that Kiln does not ship. */
  KILN_OCR_DATA_DIR: z.string().refine(isAbsolute, { abort: true, error: 'must be an absolute path' }).optional(),
  /** Milliseconds that recognizing the text of a document's pictures may take, beyond the deadline. */
  KILN_OCR_DEADLINE_MS: z.coerce.number().int().min(1_000).default(900_000),
  /** Largest file that engines are given, local and remote ones. */
  KILN_EXTRACTION_INPUT_BYTES: z.coerce.number().int().min(1).default(536_870_912),
};

const schema = z.object(extractionVariables);

export type ExtractionConfig = Readonly<z.output<typeof schema>>;
