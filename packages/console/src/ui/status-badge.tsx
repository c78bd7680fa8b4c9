import './status-badge.css';

const kinds: Readonly<Record<string, string>> = {
  active: 'ok',
  completed: 'ok',
  delivered: 'ok',
  disabled: 'bad',
  error: 'bad',
  failed: 'bad',
  failing: 'bad',
  pending: 'busy',
  processing: 'busy',
  syncing: 'busy',
  uploading: 'busy',
};

/** The status of a file, job, webhook, delivery, connection or sync, as a word with a dot of its colour. */
export function StatusBadge({ status }: { status: string }) {
  return (
    <span className="status" data-kind={kinds[status] ?? 'idle'}>
      {status}
    </span>
  );
}
