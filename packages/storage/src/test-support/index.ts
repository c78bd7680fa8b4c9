// Stores to test against, for other packages' specs.
export { startAzurite, type Azurite, type AzuriteOptions } from './azurite.js';
export { startEntraId, type EntraId } from './entra-id.js';
export type { IdentityPool } from './google-identity/exchange.js';
export { startGoogleIdentity, type GoogleIdentity } from './google-identity/server.js';
export { startGooglePubSub, type GooglePubSub } from './google-pubsub.js';
export { startGoogleStorage, type GoogleStorage } from './google-storage/server.js';
export { startSecurityTokenService, type SecurityTokenService } from './security-token-service.js';
export { accountSignature, containerSignature } from './shared-access-signatures.js';
export { createStorageQueue } from './storage-queue.js';
export { startSwift, swiftPrograms, type Swift, type SwiftPrograms } from './swift/swift.js';
export * from './counterparts/index.js';
