import {
  jsonUploadSchema,
  processedFileSchema,
  signedUploadSchema,
  uploadFieldsSchema,
  uploadWaitQuerySchema,
} from '@kiln/contracts';
import { z } from 'zod';
import { awaitProcessing } from '../upload/await-processing.handler.js';
import { upload } from '../upload/upload.handler.js';
import { exampleStored } from './shared.examples.js';
import { handlerRoute } from './kinds.route.js';

const multipartSchema = uploadFieldsSchema.extend({
  file: z.file().meta({
    description: 'The bytes of the file. They are streamed to storage. Other fields can come before or after it.',
  }),
});

export const uploadRoutes = [
  handlerRoute({
    name: 'upload',
    method: 'POST',
    path: '/v1/upload',
    tag: 'Upload',
    summary: 'Upload a file.',
    description:
      'A multipart request carries the bytes. A JSON request returns a signed URL; send the bytes there with ' +
      'PUT. No further call is needed. With `wait`, the response to a multipart request comes when the file is processed, with its variants. Processing starts when the bytes are in storage, unless ' +
      '`skip_processing` is true. In a multipart request, send the object fields (`metadata`, `chunking`, ' +
      '`variants`) as JSON strings. If the organization has reached a hard page limit, the request fails with ' +
      '402 before the bytes are read. An upload with `skip_processing` is exempt if that field comes before the ' +
      'file. An upload with `on_conflict=replace` gives its content to the file that has its `external_id`; by a signed URL when the bytes have arrived.',
    scope: 'files:write',
    query: uploadWaitQuerySchema,
    body: jsonUploadSchema,
    multipart: multipartSchema,
    handler: upload,
    followUp: awaitProcessing,
    response: z.union([signedUploadSchema, processedFileSchema]),
    success: 201,
    errors: ['CONFLICT', 'PAYLOAD_TOO_LARGE', 'QUOTA_EXCEEDED'],
    example: {
      request: { filename: 'contract.pdf', content_type: 'application/pdf', metadata: { department: 'legal' } },
      response: exampleStored,
    },
  }),
];
