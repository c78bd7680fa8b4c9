import { jsonUploadSchema, signedUploadSchema, storedFileSchema, uploadFieldsSchema } from '@kiln/contracts';
import { z } from 'zod';
import { upload } from '../upload/upload.handler.js';
import { exampleStored } from './examples.js';
import { multipartRoute } from './route.js';

const multipartSchema = uploadFieldsSchema.extend({
  file: z
    .file()
    .meta({ description: 'The bytes, streamed to storage as they come. Fields may stand before or after it.' }),
});

export const uploadRoutes = [
  multipartRoute({
    name: 'upload',
    method: 'POST',
    path: '/v1/upload',
    tag: 'Upload',
    summary: 'Upload a file',
    description:
      'As multipart the bytes come with the request. As JSON the answer holds a signed URL: PUT the bytes there and do ' +
      'nothing else. Either way a job starts once the bytes are in storage, unless `skip_processing` is true. In a ' +
      'multipart body the object fields (metadata, chunking, variants) are JSON strings. Over a hard limit of the plan it is 402 ' +
      'before the bytes are read; an upload with `skip_processing` needs no pages, if it says so before the file.',
    scope: 'files:write',
    body: jsonUploadSchema,
    multipart: multipartSchema,
    handler: upload,
    response: z.union([signedUploadSchema, storedFileSchema]),
    success: 201,
    errors: ['CONFLICT', 'PAYLOAD_TOO_LARGE', 'QUOTA_EXCEEDED'],
    example: {
      request: { filename: 'contract.pdf', content_type: 'application/pdf', metadata: { department: 'legal' } },
      response: exampleStored,
    },
  }),
];
