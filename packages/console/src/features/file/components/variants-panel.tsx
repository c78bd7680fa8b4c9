import { useQuery } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { formatBytes } from '../../../ui/formats.js';
import { Icon } from '../../../ui/icon.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { Time } from '../../../ui/time.js';
import { variantNames } from '../../../ui/variants.js';
import { Notice } from '../../../ui/view-states.js';
import { engineNames } from '../lib/attempts.js';
import { variantsQuery, type FileDetail } from '../queries.js';

/** The variants of the file. */
export function VariantsPanel({ file }: { file: FileDetail }) {
  const { data, error, refetch } = useQuery(variantsQuery(useKiln(), file.id));
  if (!data) return <NotLoaded error={error} refetch={refetch} rows={6} label="Loading the variants" />;
  if (data.length === 0) {
    return (
      <Notice icon="file" title="No variants yet">
        {file.status === 'processing' ? 'They appear when the file is processed.' : 'Reprocess the file to make them.'}
      </Notice>
    );
  }
  return (
    <ul className="variants card" aria-label="Variants" data-stale={error !== null}>
      {data.map(({ id, type, size_bytes: size, provider, created_at: at, content_url: url }) => (
        <li key={id}>
          <span className="variant-name">
            <strong>{type}</strong>
            <span className="muted">{variantNames[type] ?? ''}</span>
          </span>
          <span className="variant-engine muted">{engineNames[provider] ?? provider}</span>
          <span className="muted">{formatBytes(size)}</span>
          <span className="variant-time muted">
            <Time value={at} />
          </span>
          <a className="button" href={url} target="_blank" rel="noopener noreferrer" aria-label={`Download ${type}`}>
            <Icon name="arrowDown" /> Download
          </a>
        </li>
      ))}
    </ul>
  );
}
