import { useState } from 'react';
import { useMay } from '../../../api/me.js';
import { Button } from '../../../ui/button.js';
import { useSyncs } from '../hooks/use-syncs.js';
import { isHeldBack } from '../lib/sync-texts.js';
import { ForceDialog } from './force-dialog.js';
import { PreviewDialog } from './preview-dialog.js';
import { SyncHistory } from './sync-history.js';
import { SyncProgress } from './sync-progress.js';

export function SyncsPanel({ connectionId }: { connectionId: string }) {
  const { history, newest, start, cancel, isRunning, progress } = useSyncs(connectionId);
  const mayWrite = useMay('connections:write');
  const [dialog, setDialog] = useState<'preview' | 'force' | null>(null);
  const close = () => setDialog(null);
  const isHeld = !isRunning && newest !== undefined && isHeldBack(newest);
  const begin = (force: boolean) => {
    close();
    start.mutate(force);
  };
  return (
    <section
      className="card"
      aria-label="Syncs"
      data-stale={history.isError && history.data !== undefined}
      aria-busy={isRunning}
    >
      <header>
        <h2>Syncs</h2>
        {mayWrite && !isRunning && (
          <>
            <Button icon="search" onClick={() => setDialog('preview')}>
              Preview
            </Button>
            <Button kind="primary" icon="refresh" onClick={() => begin(false)}>
              Sync
            </Button>
          </>
        )}
        {mayWrite && isRunning && (
          <Button icon="stop" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel the sync
          </Button>
        )}
      </header>
      {isRunning && <SyncProgress progress={progress} />}
      {isHeld && (
        <div className="sync-brake" role="alert">
          <p>
            Nothing was removed: more than half of all objects are no longer in the bucket. If you have deleted them,
            sync with force.
          </p>
          {mayWrite && <Button onClick={() => setDialog('force')}>Sync with force</Button>}
        </div>
      )}
      <SyncHistory history={history} onStart={mayWrite && !isRunning ? () => begin(false) : null} />
      {dialog === 'preview' && (
        <PreviewDialog connectionId={connectionId} onSync={() => begin(false)} onClose={close} />
      )}
      {dialog === 'force' && <ForceDialog connectionId={connectionId} onConfirm={() => begin(true)} onClose={close} />}
    </section>
  );
}
