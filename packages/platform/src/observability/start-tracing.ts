// Loads OpenTelemetry's SDK only if an endpoint for traces is configured, because it takes memory and time.
import type { TracingConfig } from '../config/tracing.config.js';
import { enableTracing } from './tracing.js';
import type { TracedProcess } from './tracing-sdk.js';

let flush: (() => Promise<void>) | null = null;

export async function startTracing(config: TracingConfig, process: TracedProcess): Promise<void> {
  const { startTracingSdk } = await import('./tracing-sdk.js');
  flush = await startTracingSdk(config, process);
  enableTracing();
}

/** Sends the remaining spans. The last action of a process. */
export async function flushTraces(): Promise<void> {
  await flush?.();
}
