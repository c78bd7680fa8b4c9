import type { Schemas } from '@kiln/sdk';
import { useConnection } from '../../../api/kiln-context.js';
import { IconButton } from '../../../ui/button.js';
import { DataTable, type Column } from '../../../ui/data-table.js';
import { Time } from '../../../ui/time.js';

type ApiKey = Schemas['ApiKey'];

interface KeysTableProps {
  keys: readonly ApiKey[];
  /** Null if the user may not revoke keys. */
  onRevoke: ((key: ApiKey) => void) | null;
}

export function KeysTable({ keys, onRevoke }: KeysTableProps) {
  const { session } = useConnection();
  const columns: readonly Column<ApiKey>[] = [
    {
      title: 'Name',
      cell: ({ name, mode, prefix }) => (
        <>
          {name} {mode === 'test' && <span className="keys-mark">Test</span>}
          {session.apiKey.startsWith(prefix) && <span className="keys-mark">This session</span>}
        </>
      ),
    },
    { title: 'Key', cell: ({ prefix }) => <code>{prefix}…</code> },
    {
      title: 'Scopes',
      className: 'keys-scopes muted',
      cell: ({ scopes }) => (scopes.includes('*') ? 'All' : scopes.join(', ')),
    },
    { title: 'Created', className: 'short muted', cell: ({ created_at: time }) => <Time value={time} /> },
    {
      title: 'Last used',
      className: 'short muted',
      cell: ({ last_used_at: time }) => (time === null ? 'Never' : <Time value={time} />),
    },
    {
      title: 'Expires',
      className: 'short muted',
      cell: ({ expires_at: time }) => (time === null ? 'Never' : <time dateTime={time}>{time.slice(0, 10)}</time>),
    },
    {
      title: '',
      className: 'row-actions',
      cell: (key) =>
        onRevoke && (
          <IconButton icon="trash" label={`Revoke ${key.name} (${key.prefix})`} onClick={() => onRevoke(key)} />
        ),
    },
  ];
  return <DataTable label="API keys" columns={columns} rows={keys} keyOf={({ id }) => id} />;
}
