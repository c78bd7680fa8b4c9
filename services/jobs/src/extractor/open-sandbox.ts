// Where documents are read: by child processes, or by extractors on other machines.
import { createRemoteSandbox, createSandbox, type Sandbox } from '@kiln/extraction';
import { isTracing } from '@kiln/platform';
import { tracedSandbox } from '../queue/runs/engines/traced-sandbox.js';
import type { ExtractionConfig } from './extraction-variables.js';

/** Reading, and waiting for a process of the extractor for as long as another document. */
const DOCUMENTS = 2;

export function openSandbox(
  config: ExtractionConfig & { readonly KILN_EXTRACTOR_URL?: string | undefined },
  directory: string,
): Sandbox {
  const url = config.KILN_EXTRACTOR_URL;
  const sendingMs = config.KILN_EXTRACTION_DEADLINE_MS;
  const deadlineMs = (config.KILN_EXTRACTION_DEADLINE_MS + config.KILN_OCR_DEADLINE_MS) * DOCUMENTS + sendingMs;
  const sandbox = url === undefined ? openLocalSandbox(config, directory) : createRemoteSandbox({ url, deadlineMs });
  return isTracing() ? tracedSandbox(sandbox) : sandbox;
}

export function openLocalSandbox(config: ExtractionConfig, directory: string): Sandbox {
  return createSandbox({
    directory,
    isolation: config.KILN_EXTRACTION_ISOLATION,
    processes: config.KILN_EXTRACTION_PROCESSES,
    maxJobsPerProcess: config.KILN_EXTRACTION_PROCESS_DOCUMENTS,
    memoryBytesMax: config.KILN_EXTRACTION_MEMORY_BYTES,
    deadlineMs: config.KILN_EXTRACTION_DEADLINE_MS,
    ocrLanguages: config.KILN_OCR_LANGUAGES,
    ocrDataDirectory: config.KILN_OCR_DATA_DIR,
    limits: { ocrMillisecondsMax: config.KILN_OCR_DEADLINE_MS },
  });
}
