import { Button, IconButton } from '../../../ui/button.js';
import type { MetadataRow } from '../lib/metadata-rows.js';

interface MetadataRowsProps {
  rows: readonly MetadataRow[];
  mayWrite: boolean;
  onChange: (rows: readonly MetadataRow[]) => void;
}

export function MetadataRows({ rows, mayWrite, onChange }: MetadataRowsProps) {
  const change = (id: number, part: Partial<MetadataRow>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...part } : row)));
  const add = () => onChange([...rows, { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, key: '', value: '' }]);
  return (
    <div className="metadata-rows">
      {rows.length === 0 && <p className="muted">No metadata yet. Searches and lists can filter by it.</p>}
      {rows.map(({ id, key, value }, index) => (
        <div key={id} className="metadata-row" role="group" aria-label={`Entry ${index + 1}`}>
          <input
            aria-label="Key"
            placeholder="key"
            maxLength={64}
            value={key}
            readOnly={!mayWrite}
            onChange={({ target }) => change(id, { key: target.value })}
          />
          <input
            aria-label="Value"
            placeholder="value"
            value={value}
            readOnly={!mayWrite}
            onChange={({ target }) => change(id, { value: target.value })}
          />
          {mayWrite && (
            <IconButton
              icon="close"
              label={`Remove entry ${index + 1}`}
              onClick={() => onChange(rows.filter((row) => row.id !== id))}
            />
          )}
        </div>
      ))}
      {mayWrite && <Button onClick={add}>Add an entry</Button>}
    </div>
  );
}
