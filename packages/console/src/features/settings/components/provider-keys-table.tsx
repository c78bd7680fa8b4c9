import type { Schemas } from '@kiln/sdk';
import { errorText } from '../../../api/error-text.js';
import { Button, IconButton } from '../../../ui/button.js';
import { DataTable, type Column } from '../../../ui/data-table.js';
import { Time } from '../../../ui/time.js';
import { useKeyTest } from '../hooks/use-key-test.js';
import { providerNames, type KeyedProvider } from '../lib/provider-names.js';

type ProviderKey = Schemas['SetProviderKeyResponse'];

interface ProviderKeysTableProps {
  keys: readonly ProviderKey[];
  mayChange: boolean;
  onReplace: (provider: KeyedProvider) => void;
  onDelete: (provider: KeyedProvider) => void;
}

export function ProviderKeysTable({ keys, mayChange, onReplace, onDelete }: ProviderKeysTableProps) {
  const columns: readonly Column<ProviderKey>[] = [
    { title: 'Provider', className: 'settings-name', cell: (row) => <TestedProvider row={row} /> },
    { title: 'Key', className: 'short', cell: ({ key_preview: preview }) => <code>{preview}</code> },
    { title: 'Set', className: 'short muted', cell: ({ updated_at: time }) => <Time value={time} /> },
    {
      title: '',
      className: 'row-actions',
      cell: (row) => {
        const name = providerNames[row.provider];
        return (
          mayChange && (
            <>
              <TestButton row={row} />
              <IconButton icon="edit" label={`Replace the key for ${name}`} onClick={() => onReplace(row.provider)} />
              <IconButton icon="trash" label={`Delete the key for ${name}`} onClick={() => onDelete(row.provider)} />
            </>
          )
        );
      },
    },
  ];
  return <DataTable label="Provider keys" columns={columns} rows={keys} keyOf={({ provider }) => provider} />;
}

function TestedProvider({ row }: { row: ProviderKey }) {
  const { data, error, isFetching } = useKeyTest(row);
  return (
    <>
      {providerNames[row.provider]}
      {row.url !== null && <p className="settings-key-note muted">{row.url}</p>}
      <p role="status" className="settings-key-note muted">
        {isFetching
          ? 'The provider is called…'
          : error
            ? errorText(error).detail
            : data?.ok
              ? `The provider accepts the key. It answered in ${(data.duration_ms / 1_000).toFixed(1)} s.`
              : data?.error?.message}
      </p>
    </>
  );
}

function TestButton({ row }: { row: ProviderKey }) {
  const { isFetching, refetch } = useKeyTest(row);
  return (
    <Button
      aria-label={`Test the key for ${providerNames[row.provider]}`}
      disabled={isFetching}
      onClick={() => void refetch()}
    >
      Test
    </Button>
  );
}
