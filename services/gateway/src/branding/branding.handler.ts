// The look of the portal: the organization sets it, and the holders of portal tokens read it.
import type { Branding } from '@kiln/contracts';
import type { Caller } from '../auth/caller.domain.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';

export const getBranding = (
  { caller }: RouteRequest<object, object, undefined, Caller>,
  { branding }: GatewayServices,
): Promise<Branding> => branding.find(caller.organizationId);

export const updateBranding = (
  { caller, body }: RouteRequest<object, object, Partial<Branding>>,
  { branding }: GatewayServices,
): Promise<Branding> => branding.update(caller.organizationId, body);
