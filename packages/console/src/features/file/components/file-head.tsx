import { Fact, Facts } from '../../../ui/facts.js';
import { formatBytes } from '../../../ui/formats.js';
import { StatusBadge } from '../../../ui/status-badge.js';
import { Time } from '../../../ui/time.js';
import type { FileDetail } from '../queries.js';
import { FileActions } from './file-actions.js';

/** The name of the file, its properties and its actions. */
export function FileHead({ file, onDeleted }: { file: FileDetail; onDeleted: () => void }) {
  const { id, filename, status, space, size_bytes: size, content_type: type } = file;
  return (
    <header className="file-head">
      <div className="page-head page-title">
        <h1 title={filename}>{filename}</h1>
        <FileActions file={file} onDeleted={onDeleted} />
      </div>
      <Facts id={id}>
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
      </Facts>
    </header>
  );
}
