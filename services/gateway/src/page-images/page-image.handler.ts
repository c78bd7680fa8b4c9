// Returns the image of a page. The files service requests the drawing if the image is not in the object store.
import { filesOperations, imageWidthOf, unavailable, type CallContext } from '@kiln/contracts';
import type { ObjectBody } from '@kiln/storage';
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
    // The image can be removed between the two calls, with its file or because the file was processed again. A retry finds out.
    throw unavailable('The image of the page', error);
  }
}
