const kinds: Readonly<Record<string, string>> = {
  completed: 'ok',
  failed: 'bad',
  processing: 'busy',
  uploading: 'busy',
};

/** The status of a file or job, as a word with a dot of its colour. */
export function StatusBadge({ status }: { status: string }) {
  return (
    <span className="status" data-kind={kinds[status] ?? 'idle'}>
      {status}
    </span>
  );
}
