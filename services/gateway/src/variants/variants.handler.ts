// Returns variants with their content. The files service includes small contents; the gateway reads others from the object store.
import { CodedError, filesOperations, uuidOf, type CallContext, type OperationOutput } from '@kiln/contracts';
import type { Request } from 'express';
import { conditional } from '../http/conditional.http.js';
import type { PortalRequest, RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { readVariantContent } from './variant-content.service.js';

type VariantRecord = OperationOutput<typeof filesOperations.getVariant>;
type VariantType = VariantRecord['type'];
type VariantRequest<Params> = Pick<RouteRequest<Params, object, undefined>, 'params' | 'context' | 'http'>;
interface Asked {
  context: CallContext;
  http: Request;
}

export async function listVariants(
  { params, ...asked }: VariantRequest<{ file_id: string }>,
  services: GatewayServices,
) {
  const { variants } = await services.rpc.call(filesOperations.listVariants, params, asked.context);
  const validator = variants.map(({ id }) => id).join(' ');
  return conditional(asked.http, validator, async () => ({ variants: await withContents(variants, asked, services) }));
}

/** The variants of a file with their contents. */
export async function readVariants(file_id: string, asked: Asked, services: GatewayServices) {
  const { variants } = await services.rpc.call(filesOperations.listVariants, { file_id }, asked.context);
  return withContents(variants, asked, services);
}

const withContents = (variants: readonly VariantRecord[], asked: Asked, services: GatewayServices) =>
  Promise.all(variants.map((variant) => withContent(variant, asked, services)));

export async function getVariant(
  { params, ...asked }: VariantRequest<{ file_id: string; type: VariantType }>,
  services: GatewayServices,
) {
  const variant = await services.rpc.call(filesOperations.getVariant, params, asked.context);
  return conditional(asked.http, variant.id, () => withContent(variant, asked, services));
}

export async function listPortalVariants(
  request: PortalRequest<{ file_id: string }, object>,
  services: GatewayServices,
) {
  await assertInSpace(request, services);
  return listVariants(request, services);
}

export async function getPortalVariant(
  request: PortalRequest<{ file_id: string; type: VariantType }, object>,
  services: GatewayServices,
) {
  await assertInSpace(request, services);
  return getVariant(request, services);
}

/** Throws NOT_FOUND for a file of another space. */
async function assertInSpace(
  { params, space, context }: PortalRequest<{ file_id: string }, object>,
  { rpc }: GatewayServices,
): Promise<void> {
  await rpc.call(filesOperations.getFile, { id: params.file_id, space }, context);
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
