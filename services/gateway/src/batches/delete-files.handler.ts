// DELETE /v1/files: files named by their ids, or by a selection.
import {
  CHANGED_MAX,
  filesOperations,
  type fileDeletionBodySchema,
  type selectedDeletionSchema,
} from '@kiln/contracts';
import type { z } from 'zod';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { selectFiles } from './select-files.service.js';

type DeletionRequest = RouteRequest<object, object, z.output<typeof fileDeletionBodySchema>>;

export async function deleteFiles(
  { body: { file_ids: given, selection }, context }: DeletionRequest,
  services: GatewayServices,
): Promise<z.input<typeof selectedDeletionSchema>> {
  const remove = (file_ids: string[]) => services.rpc.call(filesOperations.deleteFiles, { file_ids }, context);
  if (!selection) return remove(given ?? []);
  const { fileIds, more } = await selectFiles(selection, CHANGED_MAX, context, services);
  if (fileIds.length === 0) return { deleted: 0, errors: [], more };
  const { deleted } = await remove(fileIds);
  // A file that another request has deleted meanwhile is no error of a selection.
  return { deleted, errors: [], more };
}
