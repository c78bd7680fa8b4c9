import type { Schemas } from '@kiln/sdk';
import { useMutation } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { Button } from '../../../ui/button.js';
import { FormError } from '../../../ui/form-error.js';
import { plural } from '../../../ui/formats.js';

type BucketsRequest = Schemas['ListConnectionBucketsRequest'];

interface BucketListProps {
  /** Null while the credentials are not complete. */
  request: BucketsRequest | null;
  onChoose: (bucket: string) => void;
}

/** The buckets that the credentials show. Some keys may read a bucket and not list buckets. */
export function BucketList({ request, onChoose }: BucketListProps) {
  const kiln = useKiln();
  const list = useMutation({
    mutationFn: async (body: BucketsRequest) => (await kiln.connections.listBuckets(body)).buckets,
    gcTime: 0,
  });
  return (
    <div className="bucket-list">
      <Button icon="list" disabled={!request || list.isPending} onClick={() => request && list.mutate(request)}>
        List the buckets
      </Button>
      {list.data && (
        <>
          <span className="muted" role="status">
            {list.data.length > 0 ? plural(list.data.length, 'bucket') : 'The credentials show no bucket.'}
          </span>
          {list.data.length > 0 && (
            <select aria-label="Buckets" value="" onChange={({ target }) => onChoose(target.value)}>
              <option value="">Choose a bucket</option>
              {list.data.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </>
      )}
      <FormError error={list.error} />
    </div>
  );
}
