/** The model server: a process of its own, so that its memory and its computing do not touch the services. */
import type { AddressInfo } from 'node:net';
import { InferenceQueue } from './inference-queue.js';
import { modelFolders } from './installed-models.js';
import { LocalModel } from './local-model.js';
import { logLine } from './log-line.js';
import { createModelServer } from './model-server.js';
import { loadModelsConfig, type ModelsConfig } from './models.config.js';

async function openModels(config: ModelsConfig): Promise<LocalModel[]> {
  const options = { threads: config.KILN_MODELS_THREADS, batchTokensMax: config.KILN_MODELS_BATCH_TOKENS };
  const models: LocalModel[] = [];
  for (const folder of modelFolders(config.KILN_MODELS_FOLDERS)) models.push(await LocalModel.open(folder, options));
  const names = models.map(({ manifest }) => manifest.name);
  const double = names.find((name, at) => names.indexOf(name) !== at);
  if (double !== undefined) throw new Error(`KILN_MODELS_FOLDERS has two models with the name ${double}.`);
  return models;
}

async function run(): Promise<void> {
  const config = loadModelsConfig();
  const models = await openModels(config);
  const server = createModelServer({
    models,
    queue: new InferenceQueue(config.KILN_MODELS_WAITING),
    afterWork: () => {
      const { rss } = process.memoryUsage();
      if (rss > config.KILN_MODELS_MEMORY_BYTES) stop(`it takes ${rss} bytes of memory`, 1);
    },
  });
  let isStopping = false;
  const stop = (reason: string, exitCode: number) => {
    if (isStopping) return;
    isStopping = true;
    logLine(exitCode === 0 ? 'info' : 'warn', 'The model server stops', { reason });
    process.exitCode = exitCode;
    server.close(() => process.exit());
    server.closeIdleConnections();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal, 0));
  server.listen(config.KILN_MODELS_PORT, config.KILN_MODELS_HOST, () => {
    const names = models.map(({ manifest }) => manifest.name);
    logLine('info', 'ready', { port: (server.address() as AddressInfo).port, models: names });
  });
}

run().catch((error: unknown) => {
  logLine('error', 'The model server did not start', { err: error instanceof Error ? error.message : String(error) });
  process.exit(1);
});
