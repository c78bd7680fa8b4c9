/**
 * The environment of each spec file. It differs from Jest's environment for Node in three ways.
 *
 * The global object is an ordinary one. In Jest's, each access to a global such as Math goes through an interceptor, which
 * makes code that reads globals in a loop a hundred times slower.
 *
 * A file must close what it opened. Sockets, servers, timers and child processes that remain after its last hook fail the file.
 *
 * Each file has its own Error, Map and so on, while Node's modules use Node's, so `error instanceof Error` would be false for
 * an error of `node:fs`. Here, instances of both kinds match.
 */
import type { JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import type { Circus } from '@jest/types';
import { ModuleMocker } from 'jest-mock';
import { initializeGarbageCollectionUtils, installCommonGlobals } from 'jest-util';
import { constants, createContext, runInContext, type Context } from 'node:vm';
import { acceptInstancesOfNode } from './instances-of-node.js';
import { closeFetchConnections } from './fetch-connections.js';
import { openHandles } from './open-handles.js';

type Global = JestEnvironment['global'];

export default class KilnEnvironment implements JestEnvironment {
  global: Global;
  moduleMocker: ModuleMocker | null;
  fakeTimersModern: ModernFakeTimers | null;
  readonly fakeTimers = null;
  #context: Context | null;
  #handlesBefore: readonly string[] = [];

  constructor({ projectConfig }: JestEnvironmentConfig) {
    this.#context = createContext(constants.DONT_CONTEXTIFY);
    this.global = runInContext('globalThis', this.#context) as Global;
    // Jest would tear down modules that a finished file has used, although Node itself still uses them.
    initializeGarbageCollectionUtils(globalThis, 'off');
    lendGlobals(this.global);
    installCommonGlobals(this.global, projectConfig.globals, 'off');
    acceptInstancesOfNode(this.global);
    this.global.Error.stackTraceLimit = 100;
    this.moduleMocker = new ModuleMocker(this.global);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: this.global });
  }

  async setup(): Promise<void> {
    this.#handlesBefore = process.getActiveResourcesInfo();
  }

  async handleTestEvent(event: Circus.AsyncEvent | Circus.SyncEvent, state: Circus.State): Promise<void> {
    if (event.name !== 'run_finish') return;
    await closeFetchConnections();
    const left = await openHandles(this.#handlesBefore);
    if (left.length === 0) return;
    state.unhandledErrors.push(new Error(`This file leaves open: ${left.join(', ')}. Close them in a hook.`));
  }

  async teardown(): Promise<void> {
    this.fakeTimersModern?.dispose();
    this.fakeTimersModern = null;
    this.moduleMocker = null;
    this.#context = null;
  }

  getVmContext(): Context | null {
    return this.#context;
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }
}

/** Adds Node's globals to a new global object: fetch, URL, timers, Buffer. */
function lendGlobals(global: Global): void {
  const own = new Set(Object.getOwnPropertyNames(global));
  const names = Object.getOwnPropertyNames(globalThis).filter((name) => !own.has(name) && name !== 'global');
  for (const name of names) {
    const descriptor = Object.getOwnPropertyDescriptor(globalThis, name);
    if (descriptor === undefined) continue;
    if (descriptor.get === undefined) Object.defineProperty(global, name, descriptor);
    else lendAccessor(global, name);
  }
  // Node's modules create instances of these classes only.
  Object.assign(global, { global, ArrayBuffer, Uint8Array });
  for (const name of ['dispose', 'asyncDispose'] as const) {
    if (!(name in global.Symbol)) Object.defineProperty(global.Symbol, name, { value: Symbol[name] });
  }
}

/** Node's accessors, such as process and crypto, work only on Node's own global object. */
function lendAccessor(global: Global, name: string): void {
  Object.defineProperty(global, name, {
    configurable: true,
    get: () => Reflect.get(globalThis, name) as unknown,
    set: (value: unknown) => {
      Object.defineProperty(global, name, { configurable: true, writable: true, value });
    },
  });
}
