import {
  chunkListQuerySchema,
  fileChangesSchema,
  fileDeletionBodySchema,
  fileFilterTextSchema,
  fileSchema,
  filesOperations,
  idSchema,
  searchOperations,
  selectedDeletionSchema,
  variantSchema,
  variantTypeSchema,
} from '@kiln/contracts';
import { z } from 'zod';
import { deleteFiles } from '../batches/delete-files.handler.js';
import { getVariant, listVariants } from '../variants/variants.handler.js';
import { exampleDownload, exampleFile, exampleIds, exampleVariant } from './shared.examples.js';
import { handlerRoute, operationRoute } from './kinds.route.js';
import { unitsOfListedWords } from './search.routes.js';

const reading = { method: 'GET', tag: 'Files', scope: 'files:read' } as const;
const writing = { tag: 'Files', scope: 'files:write' } as const;

const { variants: _variants, sha256: _sha256, metadata: _metadata, ...exampleSummary } = exampleFile;

/** For a list by filter or metadata, which may read thousands of files. The files of a selection are listed first. */
export const SELECTION_UNITS = 32;

interface Listed {
  search?: string | undefined;
  filter?: object | undefined;
  metadata?: object | undefined;
}

const unitsOfList = ({ search = '', filter, metadata }: Listed): number =>
  Math.max(unitsOfListedWords(search), (filter ?? metadata) ? SELECTION_UNITS : 0);

/** In a URL, the filter is JSON. */
export const listQuerySchema = filesOperations.listFiles.input.extend({ filter: fileFilterTextSchema.optional() });

const params = z.object({ id: idSchema('file') });

/** What rows for keys have in common with rows for portal tokens. */
const variant = {
  method: 'GET',
  isConditional: true,
  description: 'Content larger than 1 MiB is null; download it from `content_url`.',
} as const;
export const variantList = {
  ...variant,
  params: z.object({ file_id: idSchema('file') }),
  handler: listVariants,
  response: z.object({ variants: z.array(variantSchema) }),
  example: { response: { variants: [exampleVariant] } },
};
export const variantOfType = {
  ...variant,
  params: z.object({ file_id: idSchema('file'), type: variantTypeSchema }),
  handler: getVariant,
  response: variantSchema,
  example: { response: exampleVariant },
};
export const fileList = {
  units: (_body: undefined, query: Listed) => unitsOfList(query),
  operation: filesOperations.listFiles,
  example: { response: { files: [exampleSummary], next_cursor: null } },
};
export const fileDownload = {
  description: 'The URL is valid for one hour and needs no credentials. Returns 409 while the bytes have not arrived.',
  params,
  operation: filesOperations.downloadFile,
  example: { response: exampleDownload },
};

export const filesRoutes = [
  operationRoute({
    name: 'listFiles',
    ...reading,
    path: '/v1/files',
    summary: 'List files.',
    description:
      'Returns the newest files first by default. Filters are combined with AND. `metadata.<key>=<value>` matches the exact value. `filter` has other comparisons. ' +
      'A page may have fewer files than `limit`, or none: the list ends where `next_cursor` is null.',
    query: listQuerySchema,
    ...fileList,
  }),
  operationRoute({
    name: 'getFile',
    ...reading,
    path: '/v1/files/:id',
    summary: 'Get a file with its variants.',
    params,
    operation: filesOperations.getFile,
    example: { response: exampleFile satisfies z.input<typeof fileSchema> },
  }),
  operationRoute({
    name: 'updateFile',
    ...writing,
    method: 'PATCH',
    path: '/v1/files/:id',
    summary: 'Update a file.',
    description:
      'Changes the name, the space, the metadata or the external id of a file. Omitted fields keep their values, and so do omitted keys of `metadata`; ' +
      'a key with null is removed. Lists show the new values at once, searches within seconds. The variants do not change.',
    params,
    body: fileChangesSchema,
    operation: filesOperations.updateFile,
    input: ({ params, body }) => ({ ...params, changes: body }),
    example: {
      request: { filename: 'contract-signed.pdf', metadata: { signed: '2026-11-21', draft: null } },
      response: {
        ...exampleFile,
        filename: 'contract-signed.pdf',
        metadata: { ...exampleFile.metadata, signed: '2026-11-21' },
      },
    },
  }),
  operationRoute({
    name: 'listFileChunks',
    ...reading,
    path: '/v1/files/:id/chunks',
    summary: 'List the chunks of a file.',
    description:
      'The parts of the text that searches find, in their order. A file without the variant `searchable-index`, or not processed yet, has none.',
    params,
    query: chunkListQuerySchema,
    operation: searchOperations.listChunks,
    input: ({ params, query }) => ({ file_id: params.id, ...query }),
    example: {
      response: {
        chunks: [
          {
            index: 0,
            text: 'A notice of termination must be given in writing.',
            start: 3210,
            end: 3259,
            page: 2,
            headings: ['Contract', 'Termination'],
          },
        ],
        next_cursor: null,
      },
    },
  }),
  operationRoute({
    name: 'downloadFile',
    ...reading,
    path: '/v1/files/:id/download',
    summary: 'Get a download URL for a file.',
    ...fileDownload,
  }),
  operationRoute({
    name: 'deleteFile',
    ...writing,
    method: 'DELETE',
    path: '/v1/files/:id',
    summary: 'Delete a file.',
    description:
      'Deletes the file, its variants and its jobs. The file can be neither read nor found once this request returns, and its running job is stopped. The stored ' +
      'bytes are removed shortly afterwards; signed URLs to them then stop working.',
    params,
    operation: filesOperations.deleteFile,
    example: { response: { deleted: true } },
  }),
  handlerRoute({
    name: 'deleteFiles',
    ...writing,
    method: 'DELETE',
    path: '/v1/files',
    summary: 'Delete up to 100 files.',
    description:
      'Send either `file_ids` or a `selection`. Deletes every file that exists. `errors` lists the ids that do not belong to a file. Of a larger ' +
      'selection, 100 files are deleted, and `more` is true.',
    body: fileDeletionBodySchema,
    units: ({ selection }) => (selection ? SELECTION_UNITS : 0),
    handler: deleteFiles,
    response: selectedDeletionSchema,
    example: {
      request: { file_ids: [exampleIds.file, 'file_unknown'] },
      response: {
        deleted: 1,
        errors: [{ file_id: 'file_unknown', code: 'NOT_FOUND', message: 'No file has this id.' }],
      },
    },
  }),
  handlerRoute({
    name: 'listVariants',
    ...variantList,
    path: '/v1/files/:file_id/variants',
    tag: 'Variants',
    summary: 'List the variants of a file.',
    scope: 'files:read',
  }),
  handlerRoute({
    name: 'getVariant',
    ...variantOfType,
    path: '/v1/files/:file_id/variants/:type',
    tag: 'Variants',
    summary: 'Get a variant of a file.',
    scope: 'files:read',
  }),
];
