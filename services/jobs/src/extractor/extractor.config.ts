import { healthVariables, loadConfig, portVariable } from '@kiln/platform';
import { z } from 'zod';
import { checkOcrData } from './check-ocr-data.service.js';
import { extractionVariables } from './extraction.config.js';

/** An extractor gets no secret and no address of a server. */
const extractor = z
  .object({
    ...healthVariables,
    ...extractionVariables,
    KILN_ROLE: z.literal('extractor'),
    KILN_EXTRACTOR_HOST: z.string().default('127.0.0.1'),
    KILN_EXTRACTOR_PORT: portVariable.default(9200),
  })
  .superRefine(checkOcrData);

export type ExtractorConfig = Readonly<z.output<typeof extractor>>;

export const isExtractor = (): boolean => process.env['KILN_ROLE'] === 'extractor';

export const loadExtractorConfig = (): ExtractorConfig => loadConfig(extractor, process.env);
