// How an attempt ended, and when the next one follows, in words.
import { formatDuration, parseTime } from '../../../ui/formats.js';

interface Outcome {
  status_code: number | null;
  error: string | null;
}

export function outcomeText({ status_code: status, error }: Outcome): string {
  if (error !== null) return error;
  return status === null ? 'No response yet.' : `The endpoint answered ${status}.`;
}

export function nextAttemptText(nextAttemptAt: string, now: Date): string {
  const seconds = Math.ceil((parseTime(nextAttemptAt).getTime() - now.getTime()) / 1_000);
  return seconds <= 0 ? 'The next attempt is due.' : `The next attempt is in ${formatDuration(seconds)}.`;
}
