import type { Kiln } from '@kiln/sdk';
import { queryOptions } from '@tanstack/react-query';

export const settingsKeys = {
  processing: ['settings', 'processing'],
  routing: ['settings', 'routing'],
  providerKeys: ['settings', 'provider-keys'],
  branding: ['settings', 'branding'],
  portal: ['settings', 'portal'],
  capabilities: ['settings', 'capabilities'],
} as const;

export const processingQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: settingsKeys.processing,
    queryFn: ({ signal }) => kiln.organization.getSettings({ signal }),
  });

export const routingQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: settingsKeys.routing,
    queryFn: ({ signal }) => kiln.organization.getRoutingRules({ signal }),
  });

export const providerKeysQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: settingsKeys.providerKeys,
    queryFn: async ({ signal }) => (await kiln.providerKeys.list({ signal })).provider_keys,
  });

export const brandingQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: settingsKeys.branding,
    queryFn: ({ signal }) => kiln.organization.getBranding({ signal }),
  });

export const portalQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: settingsKeys.portal,
    queryFn: ({ signal }) => kiln.organization.getPortalSettings({ signal }),
  });

export const capabilitiesQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: settingsKeys.capabilities,
    queryFn: ({ signal }) => kiln.organization.getCapabilities({ signal }),
  });
