import type { Dashboard } from './dashboard.js';
import { cost } from './cost.js';
import { engines } from './engines.js';
import { overview } from './overview.js';
import { queue } from './queue.js';
import { search } from './search.js';
import { servers } from './servers.js';
import { services } from './services.js';
import { syncs } from './syncs.js';
import { webhooks } from './webhooks.js';

export const allDashboards: readonly Dashboard[] = [
  overview,
  services,
  queue,
  engines,
  webhooks,
  syncs,
  search,
  servers,
  cost,
];
