// The sites that may embed the portal, one a line.
import type { Schemas } from '@kiln/sdk';

type PortalSettings = Schemas['GetPortalSettingsResponse'];

export interface PortalForm {
  sites: string;
}

export const portalFormOf = ({ frame_ancestors: sites }: PortalSettings): PortalForm => ({ sites: sites.join('\n') });

export const portalRequestOf = ({ sites }: PortalForm): PortalSettings => ({
  frame_ancestors: sites.split(/\s+/).filter(Boolean),
});
