// Returns the image of a page. The files service has it drawn when it is not in the object store.
import { filesOperations, imageWidthOf, notFound, unavailable, type CallContext } from '@kiln/contracts';
import { StorageError, type ObjectBody } from '@kiln/storage';
import { Reply } from '../routes/reply.domain.js';
import type { PortalRequest, RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';

interface Asked {
  id: string;
  page: number;
}

/** In an external bucket, the bytes of a file can change, and with them its pages. */
const headers = { 'Cache-Control': 'private, max-age=3600' };

export function getPageImage(
  { params, query, context }: RouteRequest<Asked, { width: number }, undefined>,
  services: GatewayServices,
): Promise<Reply> {
  return imageOf({ ...params, ...query }, context, services);
}

export function getPortalPageImage(
  { params, query, space, context }: PortalRequest<Asked, { width: number }>,
  services: GatewayServices,
): Promise<Reply> {
  return imageOf({ ...params, ...query, space }, context, services);
}

async function imageOf(
  { id, width, ...asked }: Asked & { width: number; space?: string },
  context: CallContext,
  { rpc, store }: Pick<GatewayServices, 'rpc' | 'store'>,
): Promise<Reply> {
  const input = { ...asked, file_id: id, width: imageWidthOf(width) };
  const { key } = await rpc.call(filesOperations.getPageImage, input, context);
  return new Reply({ object: await open(store, key), headers });
}

async function open(store: Pick<GatewayServices['store'], 'get'>, key: string): Promise<ObjectBody> {
  try {
    return await store.get(key);
  } catch (error) {
    // The file was deleted meanwhile.
    if (error instanceof StorageError && error.code === 'not_found') throw notFound('No file has this id.');
    throw unavailable('The object store', error);
  }
}
