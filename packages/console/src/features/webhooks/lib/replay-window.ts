// A window of time, as `datetime-local` inputs have it and as the API takes it.
import type { Schemas } from '@kiln/sdk';

export type ReplayWindow = Schemas['ReplayWebhookRequest'];

/** Null while the beginning is missing, or if the window ends before it begins. An empty end is now. */
export function windowOf(since: string, until: string): ReplayWindow | null {
  const [begin, end] = [new Date(since), new Date(until)];
  if (Number.isNaN(begin.getTime())) return null;
  if (until === '') return { since: begin.toISOString() };
  return end > begin ? { since: begin.toISOString(), until: end.toISOString() } : null;
}
