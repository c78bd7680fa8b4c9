import type { Schemas } from '@kiln/sdk';
import { CopyButton } from '../../../ui/copy-button.js';
import { curlOf } from '../../../ui/curl.js';
import { formatMs } from '../../../ui/formats.js';
import { Time } from '../../../ui/time.js';
import { VirtualTable } from '../../../ui/virtual-table.js';
import { requestOf } from '../lib/logged-request.js';

type Logged = Schemas['ListRequestsResponse']['logs'][number];

interface LogsTableProps {
  logs: readonly Logged[];
  hasMore: boolean;
  /** Null while it may not be called. */
  onMore: (() => void) | null;
}

const COLUMNS = ['Request', 'Status', 'Duration', 'Key', 'Time', 'Request id', ''];

export function LogsTable({ logs, hasMore, onMore }: LogsTableProps) {
  return (
    <VirtualTable
      label="Requests"
      className="logs-table"
      columns={COLUMNS}
      rows={logs}
      keyOf={({ id }) => id}
      cellsOf={cellsOf}
      hasMore={hasMore}
      onMore={onMore}
    />
  );
}

function cellsOf(log: Logged) {
  const { method, path, status, duration_ms: ms, key_name: name, created_at: time, request_id: id } = log;
  return [
    <span className="logs-request" title={path}>
      <span>{method}</span> <code>{path}</code>
    </span>,
    <span className="logs-code" data-kind={kindOf(status)}>
      {status}
    </span>,
    <span className="muted">{formatMs(ms)}</span>,
    <span className="muted" title={name}>
      {name}
    </span>,
    <span className="muted">
      <Time value={time} />
    </span>,
    <code className="muted logs-id" title={id}>
      {id}
    </code>,
    <CopyButton text={curlOf(location.origin, requestOf(log))} label={`Copy ${method} ${path} as curl`} />,
  ];
}

const kindOf = (status: number) => (status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'ok');
