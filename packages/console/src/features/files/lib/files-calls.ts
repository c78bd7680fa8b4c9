// The list of files and the actions on many of them, as calls of the API.
import type { ApiCall } from '../../../ui/api-call.js';
import { applies, REQUEST_MAX, type FileRow } from './bulk.js';
import { queryOf, type FilesSearch } from './files-search.js';

/** `selected` are rows that are loaded. Only as many as one request permits are in the text. */
export function filesCalls(search: FilesSearch, selected: readonly FileRow[]): ApiCall[] {
  const query = queryOf(search);
  const list: ApiCall = {
    title: 'List the files',
    scope: 'files:read',
    method: 'GET',
    path: '/v1/files',
    query,
    sdk: 'files.list',
    args: [query],
  };
  return [list, ...(selected.length > 0 ? selectionCalls(selected) : [])];
}

function selectionCalls(selected: readonly FileRow[]): ApiCall[] {
  const filesFor = (action: 'delete' | 'reprocess') => ({
    file_ids: selected
      .filter((row) => applies(action, row))
      .slice(0, REQUEST_MAX)
      .map(({ id }) => id),
  });
  const jobsFor = (action: 'retry' | 'cancel') => ({
    job_ids: selected
      .filter((row) => applies(action, row))
      .slice(0, REQUEST_MAX)
      .flatMap(({ job_id: jobId }) => jobId ?? []),
  });
  const [toReprocess, toDelete, toRetry, toCancel] = [
    filesFor('reprocess'),
    filesFor('delete'),
    jobsFor('retry'),
    jobsFor('cancel'),
  ];
  const calls: (ApiCall & { body: object })[] = [
    {
      title: 'Reprocess the selected files',
      scope: 'files:write',
      method: 'POST',
      path: '/v1/files/process-batch',
      body: toReprocess,
      sdk: 'files.processMany',
      args: [toReprocess],
    },
    {
      title: 'Retry the failed jobs',
      scope: 'jobs:write',
      method: 'POST',
      path: '/v1/jobs/retry',
      body: toRetry,
      sdk: 'jobs.retryMany',
      args: [toRetry],
    },
    {
      title: 'Cancel the running jobs',
      scope: 'jobs:write',
      method: 'POST',
      path: '/v1/jobs/cancel',
      body: toCancel,
      sdk: 'jobs.cancelMany',
      args: [toCancel],
    },
    {
      title: 'Delete the selected files',
      scope: 'files:write',
      method: 'DELETE',
      path: '/v1/files',
      body: toDelete,
      sdk: 'files.deleteMany',
      args: [toDelete],
    },
  ];
  return calls.filter(({ body }) => Object.values(body).some((ids: unknown[]) => ids.length > 0));
}
