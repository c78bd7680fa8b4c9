import {
  badRequest,
  externalIdSchema,
  filenameSchema,
  newFileBodySchema,
  parseInput,
  spaceSchema,
} from '@kiln/contracts';
import { z } from 'zod';
import { RequestIds } from '../../../idempotency/request-ids.domain.js';
import { createFile } from '../../../upload/create-file.handler.js';
import { fileLinks } from '../../file-links.domain.js';
import { defineTool } from '../../tool.port.js';

const input = z.object({
  filename: filenameSchema.describe('With an extension that fits the text: notes.md, table.csv, page.html.'),
  content: z.string().min(1).max(500_000),
  space: spaceSchema.optional(),
  external_id: externalIdSchema
    .optional()
    .describe('Your own id of the file. A second upload with the same id is refused, so a repeat makes no copy.'),
});

export const uploadTextTool = defineTool({
  name: 'upload_text',
  title: 'Upload text as a file',
  description:
    'Stores text as a new file and begins to process it. Use it to keep notes or results so that searches find them. Do not use it for files that ' +
    'are stored already. Returns the ids of the file and of its job; follow_job waits until searches find it.',
  scope: 'files:write',
  isForPortals: false,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  input,
  run: async (given, { caller, context, http, services }) => {
    if (caller.authType === 'portal_token') throw badRequest('A portal token cannot upload.');
    const body = parseInput(newFileBodySchema, given);
    const request = { params: {}, query: { wait: 0 }, body, caller, context, ids: new RequestIds(), http };
    const { id, job_id, filename } = await createFile(request, services);
    const text = `Stored as ${id}. Its job is ${job_id ?? 'not needed'}.`;
    return [{ type: 'text', text }, ...fileLinks([{ file_id: id, filename }])];
  },
});
