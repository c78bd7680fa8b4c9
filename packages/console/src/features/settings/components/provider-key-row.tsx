import { useMutation } from '@tanstack/react-query';
import type { Schemas } from '@kiln/sdk';
import { useKiln } from '../../../api/kiln-context.js';
import { errorText } from '../../../api/error-text.js';
import { Icon } from '../../../ui/icon.js';
import { Time } from '../../../ui/time.js';
import { providerNames, type KeyedProvider } from '../lib/provider-names.js';

interface ProviderKeyRowProps {
  row: Schemas['SetProviderKeyResponse'];
  /** Null if the user may not change keys. */
  onReplace: ((provider: KeyedProvider) => void) | null;
  onDelete: ((provider: KeyedProvider) => void) | null;
}

export function ProviderKeyRow({ row, onReplace, onDelete }: ProviderKeyRowProps) {
  const { provider, key_preview: preview, url, updated_at: time } = row;
  const kiln = useKiln();
  const { data, error, isPending, mutate } = useMutation({ mutationFn: () => kiln.providerKeys.test(provider) });
  const name = providerNames[provider];
  return (
    <tr>
      <th scope="row">
        {name}
        {url !== null && <p className="settings-key-note muted">{url}</p>}
        <p role="status" className="settings-key-note muted">
          {isPending && 'The provider is called…'}
          {data?.ok && `The provider accepts the key. It answered in ${(data.duration_ms / 1_000).toFixed(1)} s.`}
          {data?.error?.message}
          {error && errorText(error).detail}
        </p>
      </th>
      <td>
        <code>{preview}</code>
      </td>
      <td className="muted">
        <Time value={time} />
      </td>
      <td className="settings-row-actions">
        {onReplace && (
          <button
            type="button"
            className="button"
            aria-label={`Test the key for ${name}`}
            disabled={isPending}
            onClick={() => mutate()}
          >
            Test
          </button>
        )}
        {onReplace && (
          <button
            type="button"
            className="icon-button"
            aria-label={`Replace the key for ${name}`}
            onClick={() => onReplace(provider)}
          >
            <Icon name="edit" />
          </button>
        )}
        {onDelete && (
          <button
            type="button"
            className="icon-button"
            aria-label={`Delete the key for ${name}`}
            onClick={() => onDelete(provider)}
          >
            <Icon name="trash" />
          </button>
        )}
      </td>
    </tr>
  );
}
