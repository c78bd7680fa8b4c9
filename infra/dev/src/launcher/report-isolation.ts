/** Prints the isolation in which the worker reads documents, as its `/readyz` states it. */
import type { Progress } from './progress.js';

const TIMEOUT_MILLISECONDS = 5_000;
const ADVICE = 'docs/adr/0021-documents-are-read-in-namespaces.md says what it does not promise';

export async function reportIsolation(healthUrl: string, progress: Progress): Promise<void> {
  const { extraction_isolation: level, extraction_isolation_reason: reason } = await factsOf(healthUrl);
  if (level === undefined) return;
  const line = level === 'extractor' ? 'documents are read by extractors' : `documents are read at ${level}`;
  if (reason === undefined) progress.step(line);
  else progress.warn(`warning: ${line}, which is not the strongest isolation (${reason}). ${ADVICE}.`);
}

/** None if the process has just ended: its crash is printed elsewhere. */
async function factsOf(healthUrl: string): Promise<Record<string, string>> {
  try {
    const response = await fetch(`${healthUrl}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
    const { facts = {} } = (await response.json()) as { facts?: Record<string, string> };
    return facts;
  } catch {
    return {};
  }
}
