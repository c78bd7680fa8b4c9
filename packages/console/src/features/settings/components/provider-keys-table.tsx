import type { Schemas } from '@kiln/sdk';
import '../../../ui/data-table.css';
import { Icon } from '../../../ui/icon.js';
import { Time } from '../../../ui/time.js';
import { providerNames, type KeyedProvider } from '../lib/provider-names.js';

interface ProviderKeysTableProps {
  keys: readonly Schemas['SetProviderKeyResponse'][];
  /** Null if the user may not change keys. */
  onReplace: ((provider: KeyedProvider) => void) | null;
  onDelete: ((provider: KeyedProvider) => void) | null;
}

export function ProviderKeysTable({ keys, onReplace, onDelete }: ProviderKeysTableProps) {
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label="Table of provider keys">
      <table className="data-table settings-table">
        <thead>
          <tr>
            <th scope="col">Provider</th>
            <th scope="col">Key</th>
            <th scope="col">Set</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map(({ provider, key_preview: preview, url, updated_at: time }) => (
            <tr key={provider}>
              <th scope="row">
                {providerNames[provider]}
                {url !== null && <p className="settings-url muted">{url}</p>}
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
                    className="icon-button"
                    aria-label={`Replace the key for ${providerNames[provider]}`}
                    onClick={() => onReplace(provider)}
                  >
                    <Icon name="edit" />
                  </button>
                )}
                {onDelete && (
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={`Delete the key for ${providerNames[provider]}`}
                    onClick={() => onDelete(provider)}
                  >
                    <Icon name="trash" />
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
