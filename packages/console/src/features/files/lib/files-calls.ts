// The list of files and the actions on many of them, as calls of the API.
import { callsWith, type ApiCall } from '../../../ui/api-call.js';
import { applies, idsOf, jobsOf, REQUEST_MAX, type BulkAction, type FileRow } from './bulk.js';
import { queryOf, type FilesSearch } from './files-search.js';

const changeFiles = callsWith('files:write');
const changeJobs = callsWith('jobs:write');

/** `selected` are rows that are loaded. The text names only as many as one request permits. */
export function filesCalls(search: FilesSearch, selected: readonly FileRow[]): ApiCall[] {
  const list = callsWith('files:read')('List the files', 'files.list', queryOf(search));
  const callFor = (action: BulkAction): ApiCall[] => {
    const rows = selected.filter((row) => applies(action, row)).slice(0, REQUEST_MAX);
    return rows.length > 0 ? [bulkCalls[action](rows)] : [];
  };
  return [list, ...(['reprocess', 'retry', 'cancel', 'delete'] as const).flatMap(callFor)];
}

const bulkCalls: Readonly<Record<BulkAction, (rows: readonly FileRow[]) => ApiCall>> = {
  reprocess: (rows) => changeFiles('Reprocess the selected files', 'files.processMany', { file_ids: idsOf(rows) }),
  retry: (rows) => changeJobs('Retry the failed jobs', 'jobs.retryMany', { job_ids: jobsOf(rows) }),
  cancel: (rows) => changeJobs('Cancel the running jobs', 'jobs.cancelMany', { job_ids: jobsOf(rows) }),
  delete: (rows) => changeFiles('Delete the selected files', 'files.deleteMany', { file_ids: idsOf(rows) }),
};
