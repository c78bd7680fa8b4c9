import type { Schemas } from '@kiln/sdk';
import '../../../ui/data-table.css';
import type { KeyedProvider } from '../lib/provider-names.js';
import { ProviderKeyRow } from './provider-key-row.js';

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
          {keys.map((row) => (
            // A replaced key has not been tested.
            <ProviderKeyRow
              key={`${row.provider} ${row.updated_at}`}
              row={row}
              onReplace={onReplace}
              onDelete={onDelete}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
