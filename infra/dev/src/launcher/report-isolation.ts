/** Prints the isolation in which the worker reads documents, as its `/readyz` reports it. */
import type { Progress } from './progress.js';

const TIMEOUT_MILLISECONDS = 5_000;
const ADVICE = 'docs/adr/0021-documents-are-read-in-namespaces.md says what it does not promise';

type Facts = Readonly<Record<string, string>>;

export async function reportIsolation(
  healthUrl: string,
  progress: Progress,
  timeoutMilliseconds = TIMEOUT_MILLISECONDS,
): Promise<void> {
  const facts = await factsOf(healthUrl, timeoutMilliseconds);
  if (facts === 'late') {
    progress.warn(`warning: isolation unknown: ${healthUrl}/readyz did not respond in ${timeoutMilliseconds / 1000} s`);
    return;
  }
  const { extraction_isolation: level, extraction_isolation_reason: reason } = facts;
  if (level === undefined) return;
  const line = level === 'extractor' ? 'documents are read by extractors' : `documents are read at ${level}`;
  if (reason === undefined) progress.step(line);
  else progress.warn(`warning: ${line}, which is not the strongest isolation (${reason}). ${ADVICE}.`);
}

/** None if the process has just ended: its crash is printed elsewhere. */
async function factsOf(healthUrl: string, timeoutMilliseconds: number): Promise<Facts | 'late'> {
  try {
    const response = await fetch(`${healthUrl}/readyz`, { signal: AbortSignal.timeout(timeoutMilliseconds) });
    const { facts = {} } = (await response.json()) as { facts?: Facts };
    return facts;
  } catch (thrown) {
    return (thrown as Error).name === 'TimeoutError' ? 'late' : {};
  }
}
