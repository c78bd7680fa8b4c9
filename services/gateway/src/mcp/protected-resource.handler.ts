import { notFound } from '@kiln/contracts';
import { ownAddress } from '../http/own-address.http.js';
import type { PublicRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { protectedResource } from './protected-resource.domain.js';

/** Throws NOT_FOUND when no issuer is configured: API keys need no metadata. */
export function getProtectedResource(
  { http }: PublicRequest<object, object>,
  { bearerIssuer, publicUrl }: Pick<GatewayServices, 'bearerIssuer' | 'publicUrl'>,
) {
  if (bearerIssuer === undefined) throw notFound('No issuer of bearer tokens is configured. Use an API key.');
  return protectedResource(ownAddress(http, publicUrl), bearerIssuer);
}
