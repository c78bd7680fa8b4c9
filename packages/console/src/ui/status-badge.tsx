const kinds: Readonly<Record<string, string>> = {
  active: 'ok',
  completed: 'ok',
  delivered: 'ok',
  disabled: 'bad',
  failed: 'bad',
  pending: 'busy',
  processing: 'busy',
  uploading: 'busy',
};

/** The status of a file, job, webhook or delivery, as a word with a dot of its colour. */
export function StatusBadge({ status }: { status: string }) {
  return (
    <span className="status" data-kind={kinds[status] ?? 'idle'}>
      {status}
    </span>
  );
}
