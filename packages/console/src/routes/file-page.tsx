import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { FileView } from '../features/file/components/file-view.js';
import { filesKeys } from '../features/files/queries.js';

/** The part, the page and the chunk are in the address, so that they can be shared and gone back to. */
export function FilePage() {
  const { fileId } = useParams({ from: '/files/$fileId' });
  const address = useSearch({ from: '/files/$fileId' });
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return (
    <FileView
      key={fileId}
      fileId={fileId}
      address={address}
      onAddress={(search) =>
        // The text and the pages keep their own place.
        void navigate({ to: '/files/$fileId', params: { fileId }, search, replace: true, resetScroll: false })
      }
      onDeleted={() => {
        void queryClient.resetQueries({ queryKey: filesKeys.all });
        void navigate({ to: '/files' });
      }}
    />
  );
}
