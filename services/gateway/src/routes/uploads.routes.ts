// Uploads in parts.
import {
  filesOperations,
  idSchema,
  partUploadCompletionSchema,
  partUploadFieldsSchema,
  partUploadSchema,
  signedPartsRequestSchema,
} from '@kiln/contracts';
import { z } from 'zod';
import { beginUpload } from '../upload/signed-upload.handler.js';
import { handlerRoute, operationRoute } from './kinds.route.js';
import { exampleCreated, exampleIds } from './shared.examples.js';

const writing = { tag: 'Uploads', scope: 'files:write' } as const;

const MEBIBYTE = 1024 * 1024;
const COMPLETE_TIMEOUT_MS = 65_000;
const params = z.object({ id: idSchema('file') });

const exampleCut = { filename: 'recording.mp4', size_bytes: 50_000_000_000 };
const exampleUpload = {
  ...exampleCreated,
  ...exampleCut,
  content_type: 'video/mp4',
  storage_key: `default/${exampleIds.file}/recording.mp4`,
  part_bytes: 16 * MEBIBYTE,
  part_count: 2_981,
  expires_at: '2026-11-28 09:30:00',
};
const exampleUploading = { ...exampleUpload, status: 'uploading' as const };
const examplePart = { part_number: 1, size_bytes: 16 * MEBIBYTE };
const exampleEtag = '9b2cf535f27731c974343645a3985328';
const { part_bytes: _bytes, part_count: _count, expires_at: _expires, ...exampleDone } = exampleUpload;

export const uploadsRoutes = [
  handlerRoute({
    name: 'beginUpload',
    ...writing,
    method: 'POST',
    path: '/v1/uploads',
    summary: 'Begin an upload in parts.',
    description:
      'For large files and unreliable connections. The bytes go to the object store in parts: request signed URLs for the parts, send each with PUT, in any ' +
      'order and several at a time, and complete the upload. Only a part that was interrupted is sent again. The upload has the id of its file. If it is not ' +
      'completed by `expires_at`, the file fails with `upload_expired`, and the parts are removed.',
    body: partUploadFieldsSchema,
    handler: beginUpload,
    response: partUploadSchema,
    success: 201,
    errors: ['CONFLICT', 'PAYLOAD_TOO_LARGE', 'QUOTA_EXCEEDED'],
    example: { request: { ...exampleCut, content_type: 'video/mp4' }, response: exampleUploading },
  }),
  operationRoute({
    name: 'getUpload',
    method: 'GET',
    path: '/v1/uploads/:id',
    tag: 'Uploads',
    summary: 'Get an upload and its stored parts.',
    description: 'To resume an upload, send the parts that are missing. An upload is kept until `expires_at`.',
    scope: 'files:read',
    params,
    query: filesOperations.getPartUpload.input.pick({ limit: true, cursor: true }),
    operation: filesOperations.getPartUpload,
    example: {
      response: { ...exampleUploading, parts: [{ ...examplePart, etag: exampleEtag }], next_cursor: null },
    },
  }),
  operationRoute({
    name: 'signUploadParts',
    ...writing,
    method: 'POST',
    path: '/v1/uploads/:id/parts',
    summary: 'Get signed URLs for parts.',
    description:
      'Send each part with PUT to its URL, with exactly `size_bytes` bytes. The URLs need no credentials. Request new ones when they have expired.',
    params,
    body: signedPartsRequestSchema,
    operation: filesOperations.signParts,
    example: {
      request: { part_numbers: [1] },
      response: {
        parts: [{ ...examplePart, url: 'https://objects.example.com/kiln/source?partNumber=1', headers: {} }],
        expires_in: 3600,
      },
    },
  }),
  operationRoute({
    name: 'completeUpload',
    ...writing,
    method: 'POST',
    path: '/v1/uploads/:id/complete',
    summary: 'Complete an upload in parts.',
    description:
      'Makes the file of its parts, and starts its processing. Returns 409 if a part is missing or has another size, and names it. May be repeated: a complete upload ' +
      'returns its file. The body is optional.',
    params,
    body: partUploadCompletionSchema,
    timeoutMs: COMPLETE_TIMEOUT_MS,
    operation: filesOperations.completePartUpload,
    example: { request: { parts: [{ part_number: 1, etag: exampleEtag }] }, response: exampleDone },
  }),
  operationRoute({
    name: 'abortUpload',
    ...writing,
    method: 'DELETE',
    path: '/v1/uploads/:id',
    summary: 'Abort an upload in parts.',
    description:
      'Deletes the file and the parts that are stored. Returns 409 if the upload is complete: then delete the file.',
    params,
    operation: filesOperations.abortPartUpload,
    example: { response: { deleted: true } },
  }),
];
