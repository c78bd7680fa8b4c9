import type { Schemas } from '@kiln/sdk';
import { CopyButton } from '../../../ui/copy-button.js';
import { curlOf } from '../../../ui/curl.js';
import { formatMs } from '../../../ui/formats.js';
import { Time } from '../../../ui/time.js';
import { requestOf } from '../lib/logged-request.js';

type Logged = Schemas['ListRequestsResponse']['logs'][number];

export function LogsTable({ logs }: { logs: readonly Logged[] }) {
  return (
    <div className="logs-scroll" tabIndex={0} role="group" aria-label="Table of requests">
      <table className="data-table logs-table">
        <thead>
          <tr>
            <th scope="col">Request</th>
            <th scope="col">Status</th>
            <th scope="col">Duration</th>
            <th scope="col">Key</th>
            <th scope="col">Time</th>
            <th scope="col">Request id</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {logs.map((log) => (
            <LogRow key={log.id} log={log} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LogRow({ log }: { log: Logged }) {
  const { method, path, status, duration_ms: ms, key_name: name, created_at: time, request_id: id } = log;
  return (
    <tr>
      <th scope="row">
        <span className="logs-request">
          <span>{method}</span> <code>{path}</code>
        </span>
      </th>
      <td>
        <span className="logs-code" data-kind={kindOf(status)}>
          {status}
        </span>
      </td>
      <td className="muted">{formatMs(ms)}</td>
      <td className="muted logs-key" title={name}>
        {name}
      </td>
      <td className="muted">
        <Time value={time} />
      </td>
      <td className="muted logs-id" title={id}>
        <code>{id}</code>
      </td>
      <td>
        <CopyButton text={curlOf(location.origin, requestOf(log))} label={`Copy ${method} ${path} as curl`} />
      </td>
    </tr>
  );
}

const kindOf = (status: number) => (status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'ok');
