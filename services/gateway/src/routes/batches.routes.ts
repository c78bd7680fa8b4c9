import {
  batchUploadedSchema,
  batchUploadSchema,
  encodeId,
  filesOperations,
  idSchema,
  newFileBodySchema,
  processedFileSchema,
  processBatchSchema,
  processBatchStartedSchema,
  processingSchema,
  processStartedSchema,
  signedUploadSchema,
  uploadWaitQuerySchema,
  waitQuerySchema,
} from '@kiln/contracts';
import { z } from 'zod';
import { getBatch } from '../batches/get-batch.handler.js';
import { processBatch, processFile } from '../batches/process.handler.js';
import { uploadBatch } from '../batches/upload-batch.handler.js';
import { awaitProcessing } from '../upload/await-processing.handler.js';
import { createFile } from '../upload/create-file.handler.js';
import { exampleCreated, exampleIds } from './shared.examples.js';
import { SELECTION_UNITS } from './files.routes.js';
import { WAIT_MS } from './jobs.routes.js';
import { handlerRoute } from './kinds.route.js';

const PROCESS_BATCH_TIMEOUT_MS = 30_000;
/** The size of 50 files with 50 metadata values each, even if every character is escaped as six bytes. */
const BATCH_BODY_BYTES_MAX = 16 * 1024 * 1024;

/** The size of the longest text, even if every character is escaped as six bytes, and of 50 metadata values. */
const CONTENT_BODY_BYTES_MAX = 7 * 1024 * 1024;

const exampleBatchId = encodeId('batch', '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a40');
const unknownFileId = encodeId('file', '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a99');

const exampleUpload = {
  ...exampleCreated,
  status: 'uploading' as const,
  upload_url: 'https://objects.example.com/kiln/source?X-Amz-Signature=0f3a',
  upload_method: 'PUT' as const,
  upload_headers: {},
  expires_in: 3600,
} satisfies z.input<typeof signedUploadSchema>;

const writing = { method: 'POST', tag: 'Files', scope: 'files:write' } as const;

export const batchesRoutes = [
  handlerRoute({
    name: 'createFile',
    ...writing,
    path: '/v1/files',
    summary: 'Create a file.',
    description:
      'The bytes are the text in `content`, or what Kiln downloads from `url`; the response comes when they are stored. Without both, the response has ' +
      'a signed URL, as that of a JSON upload: send the bytes there with PUT. The server of `url` must have a public address, and must send the whole ' +
      'file within five minutes, unless the operator has set other limits.',
    query: uploadWaitQuerySchema,
    body: newFileBodySchema,
    bodyBytesMax: CONTENT_BODY_BYTES_MAX,
    handler: createFile,
    followUp: awaitProcessing,
    response: z.union([signedUploadSchema, processedFileSchema]),
    success: 201,
    errors: ['CONFLICT', 'PAYLOAD_TOO_LARGE', 'QUOTA_EXCEEDED', 'SOURCE_UNAVAILABLE', 'UNAVAILABLE'],
    example: { request: { filename: 'contract.pdf', metadata: { department: 'legal' } }, response: exampleUpload },
  }),
  handlerRoute({
    name: 'uploadBatch',
    method: 'POST',
    path: '/v1/upload/batch',
    tag: 'Upload',
    summary: 'Create up to 50 files and upload URLs.',
    description:
      '`files` in the response has one element for each entry of the request, in the same order: an upload, or ' +
      'an `error` if the entry was rejected. Valid entries succeed even if others are rejected. If all entries ' +
      'are invalid, the request fails with 400.',
    scope: 'files:write',
    body: batchUploadSchema,
    bodyBytesMax: BATCH_BODY_BYTES_MAX,
    units: ({ files }) => files.length,
    handler: uploadBatch,
    response: batchUploadedSchema,
    success: 201,
    errors: ['CONFLICT', 'PAYLOAD_TOO_LARGE', 'QUOTA_EXCEEDED'],
    example: {
      request: { files: [{ filename: 'contract.pdf' }, { filename: '../etc/passwd' }] },
      response: {
        batch_id: exampleBatchId,
        files: [
          { index: 0, ...exampleUpload },
          { index: 1, error: { code: 'BAD_REQUEST', message: 'filename must be a name without / \\ or ..' } },
        ],
      },
    },
  }),
  handlerRoute({
    name: 'getBatch',
    method: 'GET',
    path: '/v1/batches/:id',
    tag: 'Batches',
    summary: 'Get the progress of a batch.',
    description:
      'Returns the current state of the files: `completed + failed + cancelled + in_progress = total`. Deleted files are not ' +
      'counted. A file that is being reprocessed counts as in progress. With `wait`, the response comes when the batch has ended.',
    scope: 'files:read',
    params: z.object({ id: idSchema('batch') }),
    query: waitQuerySchema,
    handler: getBatch,
    response: filesOperations.getBatch.output,
    timeoutMs: WAIT_MS,
    example: {
      response: {
        id: exampleBatchId,
        total: 2,
        completed: 1,
        failed: 0,
        cancelled: 0,
        in_progress: 1,
        rest: 'none',
        files: [
          { id: exampleIds.file, status: 'completed' },
          { id: unknownFileId, status: 'processing' },
        ],
      },
    },
  }),
  handlerRoute({
    name: 'processFile',
    ...writing,
    path: '/v1/files/:id/process',
    summary: 'Process or reprocess a file.',
    description:
      'Creates a job that replaces the current job of the file, even if that job is running: the newest request ' +
      'wins. Existing variants stay readable until new ones replace them. The body is optional. Returns 409 if ' +
      'the bytes of the file are not in storage, and 424 if they are in a connected bucket that does not ' +
      'respond.',
    params: z.object({ id: idSchema('file') }),
    body: processingSchema,
    handler: processFile,
    response: processStartedSchema,
    success: 201,
    errors: ['CONFLICT', 'QUOTA_EXCEEDED', 'BUCKET_UNAVAILABLE'],
    example: {
      request: { variants: ['markdown'] },
      response: { job_id: exampleIds.job, file_id: exampleIds.file, status: 'queued' },
    },
  }),
  handlerRoute({
    name: 'processBatch',
    ...writing,
    path: '/v1/files/process-batch',
    summary: 'Process many files.',
    description:
      'Send `file_ids` (up to 1,000), `connection_id` or a `selection`. Of a larger selection, 1,000 files are processed, and `more` is true. ' +
      'Files that cannot be processed are listed in ' +
      '`errors`; the others are queued. With `connection_id`, every file node without an up-to-date result is ' +
      'queued; the bytes stay in the bucket. The response covers about the first 1,000 files. The others are ' +
      'queued in the background, in the same batch, until the quota of the plan is reached; `rest` reports ' +
      'their state.',
    body: processBatchSchema,
    units: ({ file_ids, selection }) => (selection ? 2 * SELECTION_UNITS : Math.floor((file_ids?.length ?? 0) / 16)),
    handler: processBatch,
    response: processBatchStartedSchema,
    success: 201,
    errors: ['NOT_FOUND', 'CONFLICT', 'QUOTA_EXCEEDED', 'BUCKET_UNAVAILABLE'],
    timeoutMs: PROCESS_BATCH_TIMEOUT_MS,
    example: {
      request: { file_ids: [exampleIds.file, unknownFileId] },
      response: {
        batch_id: exampleBatchId,
        queued: 1,
        job_ids: [exampleIds.job],
        errors: [{ file_id: unknownFileId, code: 'NOT_FOUND', message: 'No file has this id.' }],
      },
    },
  }),
];
