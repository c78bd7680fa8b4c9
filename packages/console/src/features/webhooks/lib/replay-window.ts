// A window of time, as `datetime-local` inputs have it and as the API takes it.

export interface ReplayWindow {
  /** ISO 8601. */
  since: string;
  until?: string;
}

/** The local time, to the minute. */
export function localInput(time: Date): string {
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** Null while the beginning is missing, or if the window ends before it begins. An empty end is now. */
export function windowOf(since: string, until: string): ReplayWindow | null {
  const [begin, end] = [new Date(since), new Date(until)];
  if (Number.isNaN(begin.getTime())) return null;
  if (until === '') return { since: begin.toISOString() };
  return end > begin ? { since: begin.toISOString(), until: end.toISOString() } : null;
}
