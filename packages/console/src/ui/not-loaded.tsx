import { Failed, SkeletonRows } from './view-states.js';

interface NotLoadedProps {
  /** Null while it is being loaded. */
  error: Error | null;
  refetch: () => unknown;
  /** How many lines it may take. */
  rows: number;
  label: string;
}

/** In the place of data that is not there: grey lines while it is being loaded, or why it could not be. */
export function NotLoaded({ error, refetch, rows, label }: NotLoadedProps) {
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  return <SkeletonRows rows={rows} label={label} />;
}
