// The actions on settings, as calls of the API.
import type { ApiCall } from '../../../ui/api-call.js';
import type { Rule } from './routing-rules.js';

const read = { scope: 'org:read', method: 'GET', args: [] } as const;
const write = { scope: 'org:write', method: 'PUT' } as const;

export const processingCalls: readonly ApiCall[] = [
  { title: 'Get the settings', ...read, path: '/v1/org/settings', sdk: 'organization.getSettings' },
  {
    title: 'Update the settings',
    ...write,
    path: '/v1/org/settings',
    body: { search_language: 'german' },
    sdk: 'organization.updateSettings',
    args: [{ search_language: 'german' }],
  },
];

export function routingCalls(rules: readonly Rule[]): ApiCall[] {
  const path = '/v1/org/routing-rules';
  return [
    { title: 'List the rules', ...read, path, sdk: 'organization.getRoutingRules' },
    {
      title: 'Replace all rules',
      ...write,
      path,
      body: { rules },
      sdk: 'organization.setRoutingRules',
      args: [{ rules }],
    },
  ];
}

/** With a name in place of the key. */
const newKey = { provider: 'chat', key: '<key>' };

export const providerKeyCalls: readonly ApiCall[] = [
  { title: 'List the keys', ...read, path: '/v1/org/provider-keys', sdk: 'providerKeys.list' },
  {
    title: 'Set a key',
    ...write,
    path: '/v1/org/provider-keys',
    body: newKey,
    sdk: 'providerKeys.set',
    args: [newKey],
  },
  {
    title: 'Test a key',
    ...write,
    method: 'POST',
    path: '/v1/org/provider-keys/chat/test',
    sdk: 'providerKeys.test',
    args: ['chat'],
  },
  {
    title: 'Delete a key',
    ...write,
    method: 'DELETE',
    path: '/v1/org/provider-keys/chat',
    sdk: 'providerKeys.delete',
    args: ['chat'],
  },
];

export const brandingCalls: readonly ApiCall[] = [
  { title: 'Get the branding', ...read, path: '/v1/org/branding', sdk: 'organization.getBranding' },
  {
    title: 'Update the branding',
    ...write,
    path: '/v1/org/branding',
    body: { name: 'Acme', color: '#1a2b3c' },
    sdk: 'organization.updateBranding',
    args: [{ name: 'Acme', color: '#1a2b3c' }],
  },
];

const sites = { frame_ancestors: ['https://app.example.com'] };

export const portalCalls: readonly ApiCall[] = [
  { title: 'Get the portal settings', ...read, path: '/v1/org/portal', sdk: 'organization.getPortalSettings' },
  {
    title: 'Update the portal settings',
    ...write,
    path: '/v1/org/portal',
    body: sites,
    sdk: 'organization.updatePortalSettings',
    args: [sites],
  },
];
