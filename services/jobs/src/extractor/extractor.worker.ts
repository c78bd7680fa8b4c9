// The extractor role: reads documents for workers, over HTTP. It has no secrets, no database and no bus.
import { rm } from 'node:fs/promises';
import { ExtractorServer } from '@kiln/extraction';
import { announcePort, startProcess } from '@kiln/platform';
import { announceIsolation } from '../runs/engines/announce-isolation.service.js';
import { openScratchDirectory } from '../runs/scratch-directory.adapter.js';
import { loadExtractorConfig } from './extractor.config.js';
import { extractorPhases } from './extractor-phases.config.js';
import {
  DOCUMENTS_PER_PROCESS,
  openLocalSandbox,
  RECEIVE_DEADLINE_MS,
  reportFilesLeft,
} from './open-sandbox.service.js';

export async function runExtractor(): Promise<void> {
  const { config, logger, metrics, health, shutdown } = await startProcess('jobs', loadExtractorConfig);
  const directory = openScratchDirectory(config.KILN_SCRATCH_DIR);
  const sandbox = openLocalSandbox(config, directory, logger);
  const server = new ExtractorServer({
    sandbox,
    directory,
    documentsMax: config.KILN_EXTRACTION_PROCESSES * DOCUMENTS_PER_PROCESS,
    inputBytesMax: config.KILN_EXTRACTION_INPUT_BYTES,
    receiveDeadlineMs: RECEIVE_DEADLINE_MS,
    onFilesLeft: reportFilesLeft(logger),
  });
  metrics.gauge('kiln_extractor_documents', 'Documents that this extractor receives or reads', () => server.documents);
  const phases = extractorPhases(config);
  shutdown.addPhase('announce', phases.announce, async () => health.setState('stopping'));
  // Workers send further documents to other extractors. Those that were accepted are read to their end.
  shutdown.addPhase('documents', phases.documents, () => server.close());
  shutdown.addPhase('sandbox', phases.sandbox, async () => {
    await sandbox.close();
    await rm(directory, { recursive: true, force: true });
  });
  shutdown.addPhase('health', phases.health, () => health.close());
  await announceIsolation(sandbox, { health, logger, metrics });
  announcePort('extractor', await server.listen(config.KILN_EXTRACTOR_PORT, config.KILN_EXTRACTOR_HOST));
  health.setState('ready');
  logger.info('ready');
}
