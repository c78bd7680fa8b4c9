// Which sites may embed the portal: the organization sets it.
import type { PortalSettings } from '@kiln/contracts';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';

export const getPortalSettings = (
  { caller }: RouteRequest<object, object>,
  { portalSettings }: GatewayServices,
): Promise<PortalSettings> => portalSettings.find(caller.organizationId);

export const updatePortalSettings = (
  { caller, body }: RouteRequest<object, object, Partial<PortalSettings>>,
  { portalSettings }: GatewayServices,
): Promise<PortalSettings> => portalSettings.update(caller.organizationId, body);
