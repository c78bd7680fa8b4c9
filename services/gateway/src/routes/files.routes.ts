import { fileSchema, filesOperations, idSchema, variantSchema, variantTypeSchema } from '@kiln/contracts';
import { z } from 'zod';
import { getVariant, listVariants } from '../variants/variants.handler.js';
import { exampleDownload, exampleFile, exampleVariant } from './examples.js';
import { handlerRoute, operationRoute } from './route.js';

const { variants: exampleVariants, ...exampleSummary } = exampleFile;

export const filesRoutes = [
  operationRoute({
    name: 'listFiles',
    method: 'GET',
    path: '/v1/files',
    tag: 'Files',
    summary: 'List files',
    description:
      'Newest first unless sorted otherwise. Filters are combined with AND; `metadata.<key>=<value>` is exact.',
    scope: 'files:read',
    query: filesOperations.listFiles.input,
    operation: filesOperations.listFiles,
    input: ({ query }) => query,
    success: 200,
    example: { response: { files: [exampleSummary], next_cursor: null } },
  }),
  operationRoute({
    name: 'getFile',
    method: 'GET',
    path: '/v1/files/:id',
    tag: 'Files',
    summary: 'Get a file with its variants',
    scope: 'files:read',
    params: z.object({ id: idSchema('file') }),
    operation: filesOperations.getFile,
    input: ({ params }) => params,
    success: 200,
    example: { response: { ...exampleSummary, variants: exampleVariants } satisfies z.input<typeof fileSchema> },
  }),
  operationRoute({
    name: 'downloadFile',
    method: 'GET',
    path: '/v1/files/:id/download',
    tag: 'Files',
    summary: 'Get a signed URL to the bytes of a file',
    description: 'Good for an hour, without credentials. 409 while the bytes have not arrived.',
    scope: 'files:read',
    params: z.object({ id: idSchema('file') }),
    operation: filesOperations.downloadFile,
    input: ({ params }) => params,
    success: 200,
    example: { response: exampleDownload },
  }),
  handlerRoute({
    name: 'listVariants',
    method: 'GET',
    path: '/v1/files/:file_id/variants',
    tag: 'Variants',
    summary: 'List the variants of a file, with their content',
    description: 'Content above 1 MiB is null; read it from `content_url`.',
    scope: 'files:read',
    params: z.object({ file_id: idSchema('file') }),
    handler: listVariants,
    response: z.object({ variants: z.array(variantSchema) }),
    success: 200,
    example: { response: { variants: [exampleVariant] } },
  }),
  handlerRoute({
    name: 'getVariant',
    method: 'GET',
    path: '/v1/files/:file_id/variants/:type',
    tag: 'Variants',
    summary: 'Get one variant of a file, with its content',
    description: 'Content above 1 MiB is null; read it from `content_url`.',
    scope: 'files:read',
    params: z.object({ file_id: idSchema('file'), type: variantTypeSchema }),
    handler: getVariant,
    response: variantSchema,
    success: 200,
    example: { response: exampleVariant },
  }),
];
