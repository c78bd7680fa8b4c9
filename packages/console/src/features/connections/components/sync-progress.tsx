import type { Schemas } from '@kiln/sdk';
import { ProgressBar } from '../../../ui/progress-bar.js';
import { progressText } from '../lib/sync-texts.js';

/** Null before the first progress is known. */
export function SyncProgress({ progress }: { progress: Schemas['GetSyncProgressResponse'] | null }) {
  return (
    <div className="sync-progress">
      {progress !== null && progress.total !== null && (
        <ProgressBar value={progress.percent / 100} label="Progress of the sync" />
      )}
      <p role="status">{progress ? progressText(progress) : 'The sync is starting.'}</p>
    </div>
  );
}
