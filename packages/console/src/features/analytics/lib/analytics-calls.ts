// What the page shows, as calls of the API.
import { callsWith, type ApiCall } from '../../../ui/api-call.js';
import type { Range } from './analytics-address.js';

const read = callsWith('analytics:read');

export const analyticsCalls = (days: Range): ApiCall[] => [
  read('Get the volume', 'analytics.getVolume', { days }),
  read('Get the processing times', 'analytics.getDailyTimes', { days }),
  read('Get the growth of the storage', 'analytics.getStorageGrowth', { days }),
  read('Get the providers', 'analytics.getProviders', { days }),
  read('List the reasons of failures', 'analytics.listTopFailures'),
  read('Get the spaces', 'analytics.getSpaceHealth'),
  callsWith('org:read')('Get the usage of the plan', 'organization.getUsage'),
];
