/** The servers Kiln needs beside it, each started by one call, for the launcher and for tests. */
export { LauncherError } from './errors.js';
export type { LauncherErrorCode } from './errors.js';
export { freePort } from './processes/free-port.js';
export { ProcessRegistry } from './processes/process-registry.js';
export { waitUntil } from './processes/wait-until.js';
export { startNats } from './servers/nats.js';
export { startObjectStore } from './servers/object-store.js';
export type { ObjectStoreOptions, RunningObjectStore } from './servers/object-store.js';
export { startPostgres } from './servers/postgres.js';
export { startRedis } from './servers/redis.js';
export type { RunningServer, ServerOptions } from './servers/server.js';
export { makeTemporaryHome } from './servers/temporary-home.js';
export type { TemporaryHome } from './servers/temporary-home.js';
export { platformMigrations } from './launcher/migrations.js';
export { environmentOf, topology } from './launcher/topology.js';
export type { ProcessDescription, SystemFacts } from './launcher/topology.js';
export { repositoryDirectory } from './repository.js';
export { selfSigned } from './self-signed.js';
