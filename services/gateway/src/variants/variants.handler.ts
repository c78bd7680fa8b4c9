// Variants as the files service knows them, with their content read from the object store.
import { filesOperations, type OperationOutput } from '@kiln/contracts';
import type { RouteRequest } from '../routes/route.js';
import type { GatewayServices } from '../services.js';
import { readVariantContent } from './variant-content.js';

type VariantRecord = OperationOutput<typeof filesOperations.getVariant>;
type VariantType = VariantRecord['type'];
type VariantRequest<Params> = RouteRequest<Params, object, undefined>;

export async function listVariants(
  { params, context }: VariantRequest<{ file_id: string }>,
  services: GatewayServices,
) {
  const { variants } = await services.rpc.call(filesOperations.listVariants, params, context);
  return { variants: await Promise.all(variants.map((variant) => withContent(variant, services))) };
}

export async function getVariant(
  { params, context }: VariantRequest<{ file_id: string; type: VariantType }>,
  services: GatewayServices,
) {
  return withContent(await services.rpc.call(filesOperations.getVariant, params, context), services);
}

/** Where the content lies is nobody's business outside: `content_key` stays here. */
async function withContent({ content_key: key, ...variant }: VariantRecord, { store }: GatewayServices) {
  return { ...variant, content: await readVariantContent(store, key, variant) };
}
