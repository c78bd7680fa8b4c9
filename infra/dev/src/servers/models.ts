/** The server of the installed models, on loopback: a process of its own, so that it can be stopped when it takes too much memory. */
import { join } from 'node:path';
import { ChildProcess } from '../processes/child-process.js';
import { answersOk } from './object-store.js';
import type { RunningServer, ServerOptions } from './server.js';
import { makeDirectory, onFreePort, untilServing } from './server.js';

export interface ModelsOptions extends ServerOptions {
  /** The folders of the models. */
  readonly folders: readonly string[];
  /** The compiled entry point. */
  readonly entry: string;
  /** KILN_MODELS_* variables of the operator. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts the server and waits until the models are loaded. Its URL ends with `/v1`. */
export async function startModels(options: ModelsOptions): Promise<RunningServer> {
  makeDirectory(options.directory);
  return onFreePort(options.port, async (port) => {
    const child = await ChildProcess.start({
      name: 'models',
      command: process.execPath,
      arguments: [options.entry],
      environment: {
        ...options.settings,
        KILN_MODELS_FOLDERS: options.folders.join(','),
        KILN_MODELS_HOST: '127.0.0.1',
        KILN_MODELS_PORT: String(port),
      },
      workingDirectory: options.directory,
      logPath: options.logPath ?? join(options.directory, 'models.log'),
      registry: options.registry,
      background: options.background,
    });
    await untilServing(child, () => answersOk(`http://127.0.0.1:${port}/readyz`));
    return {
      url: `http://127.0.0.1:${port}/v1`,
      port,
      pid: child.pid,
      exited: child.exited,
      stop: async () => void (await child.stop()),
      kill: () => child.kill(),
    };
  });
}
