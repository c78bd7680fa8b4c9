import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { formatBytes } from '../../../ui/formats.js';
import { Icon } from '../../../ui/icon.js';
import { StatusBadge } from '../../../ui/status-badge.js';
import { Time } from '../../../ui/time.js';
import type { FileRow } from '../lib/bulk.js';

interface FileTableRowProps {
  file: FileRow;
  index: number;
  top: number;
  isSelected: boolean;
  onSelect: (id: string, isRange: boolean) => void;
}

/** The first row of the table is its head, and rows are counted from 1. */
const rowIndex = (index: number) => index + 2;

export const FileTableRow = memo(function FileTableRow({ file, index, top, isSelected, onSelect }: FileTableRowProps) {
  return (
    <div
      role="row"
      className="files-row"
      aria-rowindex={rowIndex(index)}
      data-index={index}
      data-selected={isSelected}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span role="cell">
        <input
          type="checkbox"
          aria-label={`Select ${file.filename}`}
          checked={isSelected}
          onChange={() => undefined}
          onClick={(event) => onSelect(file.id, event.shiftKey)}
        />
      </span>
      <span role="cell" className="files-name" title={file.filename}>
        <Icon name="file" />
        <Link className="file-link" to="/files/$fileId" params={{ fileId: file.id }}>
          {file.filename}
        </Link>
      </span>
      <span role="cell" className="files-space muted">
        {file.space}
      </span>
      <span role="cell">
        <StatusBadge status={file.status} />
      </span>
      <span role="cell" className="files-size muted">
        {file.size_bytes === null ? '–' : formatBytes(file.size_bytes)}
      </span>
      <span role="cell" className="files-added muted">
        <Time value={file.created_at} />
      </span>
    </div>
  );
});
