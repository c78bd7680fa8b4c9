// The actions on a file, as calls of the API.
import type { ApiCall } from '../../../ui/api-call.js';
import type { FileDetail } from '../queries.js';
import type { VariantType } from './variant-names.js';

const read = { scope: 'files:read', method: 'GET' } as const;
const write = { scope: 'files:write', method: 'POST' } as const;

/** Without a variant, the defaults of the organization are made. */
export function reprocessCall(id: string, variants: readonly VariantType[]): ApiCall {
  const body = variants.length > 0 ? { variants } : {};
  return {
    title: 'Reprocess',
    ...write,
    path: `/v1/files/${id}/process`,
    body,
    sdk: 'files.process',
    args: [id, body],
  };
}

export function fileCalls({ id, job_id: jobId, metadata }: Pick<FileDetail, 'id' | 'job_id' | 'metadata'>): ApiCall[] {
  const path = `/v1/files/${id}`;
  return [
    { title: 'Get the file', ...read, path, sdk: 'files.get', args: [id] },
    { title: 'List the variants', ...read, path: `${path}/variants`, sdk: 'variants.list', args: [id] },
    {
      title: 'Get the markdown',
      ...read,
      path: `${path}/variants/markdown`,
      sdk: 'variants.get',
      args: [id, 'markdown'],
    },
    { title: 'List the chunks', ...read, path: `${path}/chunks`, sdk: 'files.listChunks', args: [id] },
    { title: 'Download', ...read, path: `${path}/download`, sdk: 'files.download', args: [id] },
    reprocessCall(id, []),
    {
      title: 'Change the metadata',
      ...write,
      method: 'PATCH',
      path,
      body: { metadata },
      sdk: 'files.update',
      args: [id, { metadata }],
    },
    { title: 'Delete', ...write, method: 'DELETE', path, sdk: 'files.delete', args: [id] },
    ...(jobId === null ? [] : jobCalls(jobId)),
  ];
}

const jobCalls = (id: string): ApiCall[] => [
  { title: 'Get the job', scope: 'jobs:read', method: 'GET', path: `/v1/jobs/${id}`, sdk: 'jobs.get', args: [id] },
  {
    title: 'Retry the job',
    scope: 'jobs:write',
    method: 'POST',
    path: `/v1/jobs/${id}/retry`,
    sdk: 'jobs.retry',
    args: [id],
  },
  {
    title: 'Cancel the job',
    scope: 'jobs:write',
    method: 'POST',
    path: `/v1/jobs/${id}/cancel`,
    sdk: 'jobs.cancel',
    args: [id],
  },
];
