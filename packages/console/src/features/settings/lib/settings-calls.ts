// The actions on settings, as calls of the API.
import { callsWith, type ApiCall } from '../../../ui/api-call.js';
import type { Rule } from './routing-rules.js';

const read = callsWith('org:read');
const write = callsWith('org:write');

export const processingCalls: readonly ApiCall[] = [
  read('Get the settings', 'organization.getSettings'),
  write('Update the settings', 'organization.updateSettings', { search_language: 'german' }),
];

export const routingCalls = (rules: readonly Rule[]): ApiCall[] => [
  read('List the rules', 'organization.getRoutingRules'),
  write('Replace all rules', 'organization.setRoutingRules', { rules }),
];

export const providerKeyCalls: readonly ApiCall[] = [
  read('List the keys', 'providerKeys.list'),
  // With a name in place of the key.
  write('Set a key', 'providerKeys.set', { provider: 'chat', key: '<key>' }),
  write('Test a key', 'providerKeys.test', 'chat'),
  write('Delete a key', 'providerKeys.delete', 'chat'),
];

export const brandingCalls: readonly ApiCall[] = [
  read('Get the branding', 'organization.getBranding'),
  write('Update the branding', 'organization.updateBranding', { name: 'Acme', color: '#1a2b3c' }),
];

export const portalCalls: readonly ApiCall[] = [
  read('Get the portal settings', 'organization.getPortalSettings'),
  write('Update the portal settings', 'organization.updatePortalSettings', {
    frame_ancestors: ['https://app.example.com'],
  }),
];
