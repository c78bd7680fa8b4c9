/** State of the process that outlives a spec file, because the files of a worker share modules and globals. */
import { v7 as uuidv7 } from 'uuid';

const TOLERANCE_MS = 1_000;
const { setTimeout } = globalThis;

/** A sentence for each state that the file has changed and not restored. */
export function changedState(): readonly string[] {
  const sentences: string[] = [];
  // The package `uuid` never goes back behind the time of its last id, which a spec may have faked.
  const idTime = Number.parseInt(uuidv7().replaceAll('-', '').slice(0, 12), 16);
  if (idTime > Date.now() + TOLERANCE_MS) {
    sentences.push('This file has moved the clock of UUIDs forward. Begin it with /** @own-modules */');
  }
  // With fake timers, every later file of the worker would hang.
  if (globalThis.setTimeout !== setTimeout) {
    globalThis.setTimeout = setTimeout;
    sentences.push('This file leaves another setTimeout. Do not spy on the timers while they are faked.');
  }
  // https://github.com/open-telemetry/opentelemetry-js/blob/main/api/src/internal/global-utils.ts
  const telemetry = Reflect.get(globalThis, Symbol.for('opentelemetry.js.api.1')) as
    | Record<string, unknown>
    | undefined;
  const left = ['trace', 'context', 'propagation', 'metrics'].filter((name) => telemetry?.[name] !== undefined);
  if (left.length > 0)
    sentences.push(`This file leaves OpenTelemetry's ${left.join(', ')} enabled. Disable them in a hook.`);
  return sentences;
}
