// Returns the image of a page. The files service requests the drawing if the image is not in the object store.
import { filesOperations, imageWidthOf, unavailable } from '@kiln/contracts';
import type { ObjectBody } from '@kiln/storage';
import { spaceFor, type Caller } from '../auth/caller.domain.js';
import { conditional } from '../http/conditional.http.js';
import { Reply } from '../routes/reply.domain.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';

/** A file can get other bytes, and with them other pages. */
const CACHE_CONTROL = 'private, max-age=60';

type ImageRequest = RouteRequest<{ id: string; page: number }, { width: number }, undefined, Caller>;

export async function getPageImage(
  { params: { id, page }, query, caller, context, http }: ImageRequest,
  { rpc, store }: GatewayServices,
): Promise<Reply> {
  const input = { file_id: id, page, width: imageWidthOf(query.width), ...spaceFor(caller, undefined) };
  const { key } = await rpc.call(filesOperations.getPageImage, input, context);
  return conditional(http, key, async () => new Reply({ object: await open(store, key) }), CACHE_CONTROL);
}

async function open(store: Pick<GatewayServices['store'], 'get'>, key: string): Promise<ObjectBody> {
  try {
    return await store.get(key);
  } catch (error) {
    // The image can be removed between the two calls, with its file or because the file was processed again. A retry finds out.
    throw unavailable('The image of the page', error);
  }
}
