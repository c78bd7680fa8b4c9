import { useRef, useState, type DragEvent } from 'react';
import { useMay } from '../../../api/me.js';
import { Icon } from '../../../ui/icon.js';
import { showToast } from '../../../ui/toasts.js';
import { droppedFiles } from '../lib/dropped-files.js';
import '../uploads.css';
import { SamplesButton } from './samples-button.js';
import { UploadButtons } from './upload-buttons.js';
import { useUploads } from './uploads-provider.js';

export function DropZone() {
  const queue = useUploads();
  const mayUpload = useMay('files:write');
  // The zone has children, and each sends its own events.
  const depth = useRef(0);
  const [isOver, setOver] = useState(false);
  if (!mayUpload) return null;
  const move = (step: number) => (event: DragEvent) => {
    event.preventDefault();
    depth.current += step;
    setOver(depth.current > 0);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    depth.current = 0;
    setOver(false);
    droppedFiles(event.dataTransfer.items).then(
      (files) => queue.add(files, null),
      () => showToast('The browser could not read what was dropped.', 'failed'),
    );
  };
  return (
    <div
      className="drop-zone"
      data-over={isOver}
      onDragEnter={move(1)}
      onDragLeave={move(-1)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <Icon name="upload" />
      <p>
        <strong>Drop files or folders here</strong>
        <span className="muted">Documents, images, tables, mail and audio become text that you can search.</span>
      </p>
      <div className="drop-zone-actions">
        <UploadButtons />
        <SamplesButton />
      </div>
    </div>
  );
}
