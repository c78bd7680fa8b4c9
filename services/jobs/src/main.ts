import { jobsOperations, jobsWorkerOperations } from '@kiln/contracts';
import { startOrExit } from '@kiln/platform';
import { runService } from '@kiln/platform/nest';
import { loadJobsConfig } from './config.js';
import { isExtractor } from './extractor/extractor.config.js';
import { runExtractor } from './extractor/extractor.worker.js';
import { migrations } from './migrations/index.js';
import { AppModule } from './app.module.js';
import { entities } from './entities.js';

startOrExit(() =>
  isExtractor()
    ? runExtractor()
    : runService({
        name: 'jobs',
        lookUps: true,
        loadConfig: loadJobsConfig,
        entities,
        migrations,
        operations: ({ KILN_ROLE: role }) => [
          ...(role === 'worker' ? [] : Object.values(jobsOperations)),
          ...(role === 'api' ? [] : Object.values(jobsWorkerOperations)),
        ],
        module: (config) => AppModule.with(config),
      }),
);
