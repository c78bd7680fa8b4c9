import type { Kiln } from '@kiln/sdk';
import { queryOptions } from '@tanstack/react-query';

export const settingsKeys = { routing: ['settings', 'routing'], providerKeys: ['settings', 'provider-keys'] } as const;

export const processingQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: ['settings', 'processing'] as const,
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
    queryKey: ['settings', 'branding'] as const,
    queryFn: ({ signal }) => kiln.organization.getBranding({ signal }),
  });

export const portalQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: ['settings', 'portal'] as const,
    queryFn: ({ signal }) => kiln.organization.getPortalSettings({ signal }),
  });

export const capabilitiesQuery = (kiln: Kiln) =>
  queryOptions({
    queryKey: ['settings', 'capabilities'] as const,
    queryFn: ({ signal }) => kiln.organization.getCapabilities({ signal }),
  });
