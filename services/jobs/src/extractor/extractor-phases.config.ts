import { CLOSE_DEADLINE_MS } from '@kiln/platform';
import type { ExtractionConfig } from './extraction.config.js';
import { documentMs } from './open-sandbox.service.js';

/** The deadlines of the phases of an extractor's shutdown. Documents that were accepted are read to their end. */
export const extractorPhases = (
  config: Pick<ExtractionConfig, 'KILN_EXTRACTION_DEADLINE_MS' | 'KILN_OCR_DEADLINE_MS'>,
) => ({
  announce: CLOSE_DEADLINE_MS,
  documents: documentMs(config),
  sandbox: CLOSE_DEADLINE_MS,
  health: CLOSE_DEADLINE_MS,
});
