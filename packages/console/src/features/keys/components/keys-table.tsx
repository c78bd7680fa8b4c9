import type { Schemas } from '@kiln/sdk';
import { useConnection } from '../../../api/kiln-context.js';
import '../../../ui/data-table.css';
import { Icon } from '../../../ui/icon.js';
import { Time } from '../../../ui/time.js';

type ApiKey = Schemas['ApiKey'];

interface KeysTableProps {
  keys: readonly ApiKey[];
  /** Null if the user may not revoke keys. */
  onRevoke: ((key: ApiKey) => void) | null;
}

export function KeysTable({ keys, onRevoke }: KeysTableProps) {
  const { session } = useConnection();
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label="Table of keys">
      <table className="data-table keys-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Key</th>
            <th scope="col">Scopes</th>
            <th scope="col">Created</th>
            <th scope="col">Last used</th>
            <th scope="col">Expires</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <th scope="row">
                {key.name} {key.mode === 'test' && <span className="keys-mark">Test</span>}
                {session.apiKey.startsWith(key.prefix) && <span className="keys-mark">This session</span>}
              </th>
              <td>
                <code>{key.prefix}…</code>
              </td>
              <td className="muted">{key.scopes.includes('*') ? 'All' : key.scopes.join(', ')}</td>
              <td className="muted">
                <Time value={key.created_at} />
              </td>
              <td className="muted">{key.last_used_at === null ? 'Never' : <Time value={key.last_used_at} />}</td>
              <td className="muted">{key.expires_at === null ? 'Never' : expiryOf(key.expires_at)}</td>
              <td>
                {onRevoke && (
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={`Revoke ${key.name} (${key.prefix})`}
                    onClick={() => onRevoke(key)}
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

const expiryOf = (time: string) => <time dateTime={time}>{time.slice(0, 10)}</time>;
