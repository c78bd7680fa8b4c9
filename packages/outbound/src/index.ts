export * from './connection-failure.js';
export * from './guarded-agent.js';
export * from './guarded-node-agents.js';
export * from './outbound-policy.js';
export * from './public-address.js';
export { OutboundProxyError } from './proxy-tunnel.js';
export { NameNotFoundError } from './resolve-host.js';
export { AllowList, AllowListError } from './allow-list.js';
export type { ResolveHost } from './resolve-host.js';
