// What the page shows, as calls of the API.
import type { ApiCall, SdkMethod } from '../../../ui/api-call.js';
import type { Range } from './analytics-address.js';

const reading = (title: string, name: string, sdk: SdkMethod, query?: object): ApiCall => ({
  title,
  scope: 'analytics:read',
  method: 'GET',
  path: `/v1/analytics/${name}`,
  ...(query && { query }),
  sdk,
  args: query ? [query] : [],
});

export const analyticsCalls = (days: Range): ApiCall[] => [
  reading('Get the volume', 'volume', 'analytics.getVolume', { days }),
  reading('Get the processing times', 'processing/daily', 'analytics.getDailyTimes', { days }),
  reading('Get the growth of the storage', 'storage-growth', 'analytics.getStorageGrowth', { days }),
  reading('Get the providers', 'providers', 'analytics.getProviders', { days }),
  reading('List the reasons of failures', 'top-failures', 'analytics.listTopFailures'),
  reading('Get the spaces', 'spaces', 'analytics.getSpaceHealth'),
  {
    title: 'Get the usage of the plan',
    scope: 'org:read',
    method: 'GET',
    path: '/v1/org/usage',
    sdk: 'organization.getUsage',
    args: [],
  },
];
