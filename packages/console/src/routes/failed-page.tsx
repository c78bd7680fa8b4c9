import type { ErrorComponentProps } from '@tanstack/react-router';
import { Failed } from '../ui/view-states.js';

/** After a new version, a page that was open before can ask for files that are gone. Loading it again helps then, too. */
export function FailedPage({ error }: ErrorComponentProps) {
  return <Failed error={error} onRetry={() => location.reload()} />;
}
