// Where documents are read: by child processes, or by extractors on other machines.
import { createRemoteSandbox, createSandbox, type Sandbox } from '@kiln/extraction';
import { isTracing, type Logger } from '@kiln/platform';
import { tracedSandbox } from '../runs/engines/traced-sandbox.adapter.js';
import type { ExtractionConfig } from './extraction.config.js';

/** Milliseconds for sending a document to an extractor. */
export const RECEIVE_DEADLINE_MS = 120_000;
/** Documents that an extractor accepts for each of its processes: one is read while the next one is received. */
export const DOCUMENTS_PER_PROCESS = 2;

/** The longest time for a document at an extractor: sending it, waiting for a process as long as another document takes, and reading it. */
export const documentMs = (config: Pick<ExtractionConfig, 'KILN_EXTRACTION_DEADLINE_MS' | 'KILN_OCR_DEADLINE_MS'>) =>
  RECEIVE_DEADLINE_MS + (config.KILN_EXTRACTION_DEADLINE_MS + config.KILN_OCR_DEADLINE_MS) * DOCUMENTS_PER_PROCESS;

export function openSandbox(
  config: ExtractionConfig & { readonly KILN_EXTRACTOR_URL?: string | undefined },
  directory: string,
  logger: Logger,
): Sandbox {
  const url = config.KILN_EXTRACTOR_URL;
  const deadlineMs = documentMs(config);
  const sandbox =
    url === undefined ? openLocalSandbox(config, directory, logger) : createRemoteSandbox({ url, deadlineMs });
  return isTracing() ? tracedSandbox(sandbox) : sandbox;
}

/** Logs that files of a document remain on disk. The next process removes them (../runs/scratch-directory.adapter.ts). */
export const reportFilesLeft =
  (logger: Logger) =>
  (error: unknown): void =>
    logger.error({ err: error }, 'Files of a document could not be removed');

export function openLocalSandbox(config: ExtractionConfig, directory: string, logger: Logger): Sandbox {
  return createSandbox({
    directory,
    onFilesLeft: reportFilesLeft(logger),
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
