// The actions on a file, as calls of the API.
import { callsWith, type ApiCall } from '../../../ui/api-call.js';
import type { VariantType } from '../../../ui/variants.js';
import type { FileDetail } from '../queries.js';

const read = callsWith('files:read');
const write = callsWith('files:write');
const changeJob = callsWith('jobs:write');

/** Without a variant, the defaults of the organization are made. */
export const reprocessCall = (id: string, variants: readonly VariantType[]): ApiCall =>
  write('Reprocess', 'files.process', id, variants.length > 0 ? { variants } : {});

export const fileCalls = ({
  id,
  job_id: jobId,
  metadata,
}: Pick<FileDetail, 'id' | 'job_id' | 'metadata'>): ApiCall[] => [
  read('Get the file', 'files.get', id),
  read('List the variants', 'variants.list', id),
  read('Get the markdown', 'variants.get', id, 'markdown'),
  read('List the chunks', 'files.listChunks', id),
  read('Download', 'files.download', id),
  reprocessCall(id, []),
  write('Change the metadata', 'files.update', id, { metadata }),
  write('Delete', 'files.delete', id),
  ...(jobId === null ? [] : jobCalls(jobId)),
];

const jobCalls = (id: string): ApiCall[] => [
  callsWith('jobs:read')('Get the job', 'jobs.get', id),
  changeJob('Retry the job', 'jobs.retry', id),
  changeJob('Cancel the job', 'jobs.cancel', id),
];
