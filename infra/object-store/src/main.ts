// Runs the store as a process. It prints one line when it is ready. SIGTERM and SIGINT shut it down gracefully.
import { ConfigError, readConfig } from './config.js';
import { startObjectStore } from './server.js';

const log = (message: string, fields: Record<string, unknown> = {}): void => {
  process.stdout.write(
    `${JSON.stringify({ time: new Date().toISOString(), name: 'object-store', message, ...fields })}\n`,
  );
};

try {
  const store = await startObjectStore({
    ...readConfig(),
    onFailure: (message, error) => log(message, { error: error instanceof Error ? error.stack : String(error) }),
  });
  log('ready', { url: store.url, pid: process.pid });
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1); // a second signal does not wait
    stopping = true;
    store.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
} catch (error) {
  const reason = error instanceof ConfigError ? error.message : String(error);
  process.stderr.write(`object-store cannot start: ${reason}\n`);
  process.exitCode = 1;
}
