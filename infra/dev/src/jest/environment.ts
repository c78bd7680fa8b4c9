/**
 * The environment of each spec file. Specs run in the global scope of their worker, so it has no global object of its own.
 * A file must close what it opened: sockets, servers, timers and child processes that remain after its last hook fail the file.
 */
import type { EnvironmentContext, JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import type { Circus } from '@jest/types';
import { ModuleMocker } from 'jest-mock';
import { changedState } from './changed-state.js';
import { closeFetchConnections } from './fetch-connections.js';
import { openHandles } from './open-handles.js';

export default class NodeEnvironment implements JestEnvironment {
  /** Jest puts the console of the file here. */
  readonly global = {} as JestEnvironment['global'];
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimersModern: ModernFakeTimers;
  readonly fakeTimers = null;
  /** A file that begins with the comment `@own-modules` shares no module with other files. */
  readonly ownModules: boolean;
  readonly #console = globalThis.console;
  #handlesBefore: readonly string[] = [];

  constructor({ projectConfig }: JestEnvironmentConfig, { docblockPragmas }: EnvironmentContext) {
    this.ownModules = 'own-modules' in docblockPragmas;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup(): Promise<void> {
    globalThis.console = this.global.console;
    this.#handlesBefore = process.getActiveResourcesInfo();
  }

  async handleTestEvent(event: Circus.AsyncEvent | Circus.SyncEvent, state: Circus.State): Promise<void> {
    if (event.name !== 'run_finish') return;
    this.fakeTimersModern.useRealTimers();
    this.moduleMocker.restoreAllMocks();
    await closeFetchConnections();
    state.unhandledErrors.push(...changedState().map((sentence) => new Error(sentence)));
    const left = await openHandles(this.#handlesBefore);
    if (left.length === 0) return;
    state.unhandledErrors.push(new Error(`This file leaves open: ${left.join(', ')}. Close them in a hook.`));
  }

  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    globalThis.console = this.#console;
  }

  getVmContext(): null {
    return null;
  }
}
