// The uploads under way, at the lower edge of every page.
import { useState } from 'react';
import { Button, IconButton } from '../../../ui/button.js';
import { formatBytes, formatCount, plural } from '../../../ui/formats.js';
import { ProgressBar } from '../../../ui/progress-bar.js';
import type { QueueState } from '../lib/upload-queue.js';
import '../uploads.css';
import { useUploads, useUploadState } from './uploads-provider.js';

const FAILED_SHOWN_MAX = 50;

export function UploadTray() {
  const queue = useUploads();
  const state = useUploadState();
  const [isOpen, setOpen] = useState(false);
  const { files, counts, isPaused, sentBytes, totalBytes } = state;
  const isRunning = counts.waiting + counts.sending > 0;
  if (files.length === 0 || (!isRunning && counts.failed === 0)) return null;
  const failed = files.filter((file) => file.state === 'failed');
  return (
    <section className="upload-tray" aria-label="Uploads">
      <div className="upload-tray-line">
        <strong>{titleOf(state)}</strong>
        <span className="muted">
          {formatCount(counts.stored)} of {plural(files.length, 'file')} · {formatBytes(sentBytes)} of{' '}
          {formatBytes(totalBytes)}
        </span>
        <span className="upload-tray-actions">
          {isRunning && (
            <Button icon={isPaused ? 'play' : 'pause'} onClick={() => (isPaused ? queue.resume() : queue.pause())}>
              {isPaused ? 'Resume' : 'Pause'}
            </Button>
          )}
          {failed.length > 0 && (
            <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {formatCount(failed.length)} failed
            </Button>
          )}
          {failed.length > 0 && (
            <Button icon="refresh" onClick={() => queue.retryFailed()}>
              Send again
            </Button>
          )}
          <IconButton icon="close" label={isRunning ? 'Stop the uploads' : 'Close'} onClick={() => queue.clear()} />
        </span>
      </div>
      <ProgressBar value={totalBytes === 0 ? 0 : sentBytes / totalBytes} label="Uploaded bytes" />
      {isOpen && (
        <ul className="upload-failures">
          {failed.slice(0, FAILED_SHOWN_MAX).map(({ id, path, error }) => (
            <li key={id}>
              <strong>{path}</strong> <span className="muted">{error}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function titleOf({ counts, isPaused }: QueueState): string {
  if (counts.waiting + counts.sending === 0) return 'Uploads ended';
  if (!isPaused) return 'Uploading';
  return counts.sending > 0 ? 'Pausing' : 'Paused';
}
