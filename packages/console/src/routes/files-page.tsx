import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMay } from '../api/me.js';
import { FilesView } from '../features/files/components/files-view.js';
import { UploadButtons } from '../features/uploads/components/upload-buttons.js';
import { PageHead } from '../ui/page-head.js';

/** Filters and order are in the address, so that they can be shared and gone back to. */
export function FilesPage() {
  const search = useSearch({ from: '/files' });
  const navigate = useNavigate();
  const mayUpload = useMay('files:write');
  return (
    <div className="files-page">
      <PageHead title="Files">{mayUpload && <UploadButtons space={search.space ?? null} />}</PageHead>
      <FilesView search={search} onSearch={(next) => void navigate({ to: '/files', search: next, replace: true })} />
    </div>
  );
}
