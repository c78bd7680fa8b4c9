// Waits for jobs, and ends the command by their outcome.
import type { Kiln, Schemas } from '@kiln/sdk';
import type { Context } from '../context.js';
import { CommandFailure } from '../exit-codes.js';
import { cleanLine } from '../terminal/clean.js';
import { Progress } from '../terminal/progress.js';

export type EndedJob = Pick<Schemas['JobDetail'], 'id' | 'status' | 'error'>;

/** The API holds each waiting request open. */
const CONCURRENT_MAX = 4;

/** Throws a pending failure if the job has not ended in time. */
export async function waitForJob(
  { signal }: Pick<Context, 'signal'>,
  kiln: Kiln,
  id: string,
  timeoutSeconds: number,
): Promise<Schemas['JobDetail']> {
  try {
    return await kiln.jobs.waitFor(id, { deadlineMs: Math.max(1, timeoutSeconds * 1_000), signal });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'DEADLINE') throw error;
    const seconds = Math.ceil(timeoutSeconds);
    throw new CommandFailure('pending', `${id} has not ended within ${seconds} s. Continue with: kiln watch ${id}`);
  }
}

/** Returns the jobs by id. Throws a pending failure if one has not ended in time. */
export async function waitForJobs(
  context: Pick<Context, 'signal'> & { terminal: Pick<Context['terminal'], 'err'> },
  kiln: Kiln,
  jobIds: readonly string[],
  timeoutSeconds: number,
): Promise<Map<string, EndedJob>> {
  const endsAt = performance.now() + timeoutSeconds * 1_000;
  const progress = new Progress(context.terminal.err);
  const jobs = new Map<string, EndedJob>();
  const wanted = new Set(jobIds);
  const entries = wanted.values();
  const show = () => progress.show([`Processing: ${jobs.size} of ${wanted.size} jobs have ended`]);
  const ended = new AbortController();
  const signal = AbortSignal.any([context.signal, ended.signal]);
  const next = async (): Promise<void> => {
    for (const id of entries) {
      jobs.set(id, await waitForJob({ signal }, kiln, id, (endsAt - performance.now()) / 1_000));
      show();
    }
  };
  show();
  try {
    await Promise.all(Array.from({ length: CONCURRENT_MAX }, next));
  } finally {
    // After a failure, the other waits would keep the process until their jobs have ended.
    ended.abort();
    progress.end();
  }
  return jobs;
}

/** Throws unless the job is completed. */
export function failUnlessCompleted({ id, status, error }: EndedJob): void {
  if (status === 'completed') return;
  throw new CommandFailure('failed', `${id} ${status}${error ? `: ${reasonOf(error)}` : ''}`);
}

export const reasonOf = ({ code, message }: { code: string; message: string }): string =>
  `${cleanLine(message)} (${code})`;
