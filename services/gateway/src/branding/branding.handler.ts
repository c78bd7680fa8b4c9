// The look of the portal: the organization sets it, and the holders of portal tokens read it.
import type { Branding } from '@kiln/contracts';
import type { PortalRequest, RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';

type Asking = Pick<RouteRequest<object, object, undefined>, 'caller'> | Pick<PortalRequest<object, object>, 'caller'>;

export const getBranding = ({ caller }: Asking, { branding }: GatewayServices): Promise<Branding> =>
  branding.find(caller.organizationId);

export const updateBranding = (
  { caller, body }: RouteRequest<object, object, Partial<Branding>>,
  { branding }: GatewayServices,
): Promise<Branding> => branding.update(caller.organizationId, body);
