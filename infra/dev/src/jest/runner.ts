/**
 * Runs a spec file as an ordinary ES module of its worker. Jest's own loader evaluates all modules again for each file, which takes
 * longer than most files; here, the files of a worker share what they import. See docs/adr/0004.
 */
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type NodeEnvironment from './environment.js';
import { setFramework } from './globals.js';

type Runner = (
  globalConfig: unknown,
  config: unknown,
  environment: NodeEnvironment,
  runtime: object,
  path: string,
  report: unknown,
) => Promise<unknown>;

const require = createRequire(import.meta.url);
const { default: circus } = require('jest-circus/runner') as { readonly default: Runner };
const globals = new URL('./globals.js', import.meta.url).href;

/** Marks the modules of a file that shares none. */
const OWN = '?own=';
let files = 0;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
    const resolved = next(specifier, context);
    const [, own] = context.parentURL?.split(OWN) ?? [];
    return own === undefined || resolved.format !== 'module'
      ? resolved
      : { ...resolved, url: resolved.url + OWN + own };
  },
});

const runSpecFile: Runner = (globalConfig, config, environment, runtime, path, report) => {
  const url = pathToFileURL(path).href + (environment.ownModules ? OWN + String(++files) : '');
  const loader = {
    requireInternalModule: loadAgain,
    setGlobalsForRuntime: (framework: object) => setFramework({ ...framework, jest: mocksAndTimers(environment) }),
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: () => import(url),
  };
  const native = Object.assign(Object.create(runtime) as object, loader);
  return circus(globalConfig, config, environment, native, path, report);
};

export default runSpecFile;

/** The framework keeps the state of a file in its module. */
function loadAgain(path: string): unknown {
  Reflect.deleteProperty(require.cache, path);
  Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
  return require(path);
}

/** The object `jest`: `fn` and `spyOn` are methods of the mocker, `useFakeTimers` and the like of the timers. */
function mocksAndTimers({ moduleMocker, fakeTimersModern }: NodeEnvironment): object {
  return new Proxy(
    {},
    {
      get: (_, key) => {
        const owner = key in fakeTimersModern ? fakeTimersModern : moduleMocker;
        return (Reflect.get(owner, key) as () => unknown).bind(owner);
      },
    },
  );
}
