import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useKiln } from '../../../api/kiln-context.js';
import { formatBytes } from '../../../ui/formats.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { previewRows } from '../lib/sync-texts.js';

/** What a sync would change now. It lists the bucket, for at most 15 seconds. */
export function SyncPreview({ connectionId }: { connectionId: string }) {
  const kiln = useKiln();
  const instance = useId();
  const { data, error, refetch } = useQuery({
    // Each dialog lists the bucket anew.
    queryKey: ['connection-preview', connectionId, instance],
    queryFn: ({ signal }) => kiln.connections.previewSync(connectionId, { signal }),
    gcTime: 0,
    staleTime: Infinity,
  });
  if (!data) return <NotLoaded error={error} refetch={refetch} rows={3} label="Listing the bucket" />;
  return (
    <>
      <dl className="preview-rows">
        {previewRows(data).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="muted">
        {data.complete
          ? `The objects in the bucket have ${formatBytes(data.total_size_bytes)} in total.`
          : `The bucket is too large to be listed in 15 seconds. These numbers are of its first ${formatBytes(data.total_size_bytes)}.`}
      </p>
    </>
  );
}
