import { jobsOperations } from '@kiln/contracts';
import { startOrExit } from '@kiln/platform';
import { runService } from '@kiln/platform/nest';
import { fileURLToPath } from 'node:url';
import { loadJobsConfig } from './config.js';
import { JobsModule } from './jobs.module.js';

startOrExit(() =>
  runService({
    name: 'jobs',
    byIndex: true,
    loadConfig: loadJobsConfig,
    migrationsDirectory: fileURLToPath(new URL('../migrations/', import.meta.url)),
    operations: (config) => (config.KILN_ROLE === 'worker' ? [] : Object.values(jobsOperations)),
    module: (config, platform) => JobsModule.with(config, platform),
  }),
);
