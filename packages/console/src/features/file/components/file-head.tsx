import type { ReactNode } from 'react';
import { CopyButton } from '../../../ui/copy-button.js';
import { formatBytes } from '../../../ui/formats.js';
import { StatusBadge } from '../../../ui/status-badge.js';
import { Time } from '../../../ui/time.js';
import type { FileDetail } from '../queries.js';
import { FileActions } from './file-actions.js';

/** The name of the file, what is known of it at a glance, and what can be done with it. */
export function FileHead({ file, onDeleted }: { file: FileDetail; onDeleted: () => void }) {
  const { id, filename, status, space, size_bytes: size, content_type: type } = file;
  return (
    <header className="file-head">
      <div className="page-head">
        <h1 title={filename}>{filename}</h1>
        <FileActions file={file} onDeleted={onDeleted} />
      </div>
      <dl className="file-facts">
        <Fact name="Status">
          <StatusBadge status={status} />
        </Fact>
        <Fact name="Space">{space}</Fact>
        <Fact name="Size">{size === null ? 'not known' : formatBytes(size)}</Fact>
        <Fact name="Type">{type ?? 'not known'}</Fact>
        <Fact name="Added">
          <Time value={file.created_at} />
        </Fact>
        <Fact name="Changed">
          <Time value={file.updated_at} />
        </Fact>
        <Fact name="Id">
          <code>{id}</code> <CopyButton text={id} label="Copy the id" />
        </Fact>
      </dl>
    </header>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
