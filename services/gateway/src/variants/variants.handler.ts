// Returns variants with their content. The files service includes small contents; the gateway reads others from the object store.
import { CodedError, filesOperations, uuidOf, type OperationOutput } from '@kiln/contracts';
import type { Caller } from '../auth/caller.domain.js';
import { conditional } from '../http/conditional.http.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { readVariantContent } from './variant-content.service.js';

type VariantRecord = OperationOutput<typeof filesOperations.getVariant>;
type VariantType = VariantRecord['type'];
type VariantRequest<Params> = RouteRequest<Params, object, undefined, Caller>;
type Asked = Pick<VariantRequest<unknown>, 'context' | 'http'>;

export async function listVariants(request: VariantRequest<{ file_id: string }>, services: GatewayServices) {
  const { params, context, http } = request;
  await assertInSpace(request, services);
  const { variants } = await services.rpc.call(filesOperations.listVariants, params, context);
  const validator = variants.map(({ id }) => id).join(' ');
  return conditional(http, validator, async () => ({ variants: await withContents(variants, request, services) }));
}

/** The variants of a file with their contents. */
export async function readVariants(file_id: string, asked: Asked, services: GatewayServices) {
  const { variants } = await services.rpc.call(filesOperations.listVariants, { file_id }, asked.context);
  return withContents(variants, asked, services);
}

const withContents = (variants: readonly VariantRecord[], asked: Asked, services: GatewayServices) =>
  Promise.all(variants.map((variant) => withContent(variant, asked, services)));

export async function getVariant(
  request: VariantRequest<{ file_id: string; type: VariantType }>,
  services: GatewayServices,
) {
  const { params, context, http } = request;
  await assertInSpace(request, services);
  const variant = await services.rpc.call(filesOperations.getVariant, params, context);
  return conditional(http, variant.id, () => withContent(variant, request, services));
}

/** Throws NOT_FOUND for a file of another space than that of a portal token. */
async function assertInSpace(
  { params, caller, context }: Pick<VariantRequest<{ file_id: string }>, 'params' | 'caller' | 'context'>,
  { rpc }: GatewayServices,
): Promise<void> {
  if (caller.authType !== 'portal_token') return;
  await rpc.call(filesOperations.getFile, { id: params.file_id, space: caller.space }, context);
}

/** `content_key` is internal, so it is left out. */
async function withContent(record: VariantRecord, asked: Asked, services: GatewayServices) {
  const { content_key: key, content, content_url: storeUrl, ...variant } = record;
  const place = {
    tenantId: asked.context.tenantId,
    fileId: uuidOf('file', variant.file_id),
    variantId: uuidOf('variant', variant.id),
  };
  return {
    ...variant,
    content:
      key === null
        ? (content ?? (await leftOut(variant, asked, services)))
        : await readVariantContent(services.store, key, variant),
    content_url: storeUrl ?? services.contentUrls.urlTo(place, asked.http),
  };
}

/** Returns the text of a small variant for which a list had no room, or null if the variant was replaced since. */
async function leftOut(
  { id, file_id }: Pick<VariantRecord, 'id' | 'file_id'>,
  { context }: Asked,
  { rpc }: GatewayServices,
): Promise<string | null> {
  try {
    return (await rpc.call(filesOperations.getVariantContent, { file_id, variant_id: id }, context)).content;
  } catch (error) {
    if (error instanceof CodedError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
