/**
 * Glossary
 *
 * organization  who pays and holds keys, settings and routing rules
 * tenant        one data plane of an organization (live or test); the only owner the services know
 * space         a namespace of files inside a tenant
 * file          what was uploaded; its bytes lie in the object store
 * variant       a finished output of a file: markdown, metadata, embeddings, searchable-index, thumbnails
 * job           the work that makes a file's variants, step by step
 * run           one attempt at a job by one worker, under a lease; its fence is higher than that of any run before
 * page          what work is counted in: a page, slide or image, a minute of audio, 3,000 characters of text
 * operation     a question with an answer, over the bus
 * event         a fact that has happened, kept and delivered at least once
 * webhook       a URL that is told of public events
 * connection    what Kiln knows of somebody else's bucket, and may do there
 * node          a file or folder that a sync has found in a bucket
 * sync          one walk through a bucket, after which the nodes are what it holds
 * delivery      one event on its way to one webhook, over as many attempts as it takes
 */
export * from './core/context.js';
export * from './core/errors.js';
export * from './core/event.js';
export * from './core/ids.js';
export * from './core/mode.js';
export * from './core/operation.js';
export * from './core/page.js';
export * from './core/pagination.js';
export * from './core/timestamps.js';
export * from './core/validation.js';
export * from './files/batches.js';
export * from './files/connections.js';
export * from './files/downloads.js';
export * from './files/deletion.js';
export * from './files/events.js';
export * from './files/operations.js';
export * from './files/processing.js';
export * from './files/schemas.js';
export * from './files/spaces.js';
export * from './files/storage-keys.js';
export * from './gateway/events.js';
export * from './gateway/schemas.js';
export * from './gateway/request-time.js';
export * from './gateway/api-keys.js';
export * from './gateway/portal-tokens.js';
export * from './jobs/events.js';
export * from './jobs/operations.js';
export * from './jobs/provider-keys.js';
export * from './jobs/routing-rules.js';
export * from './jobs/schemas.js';
export * from './jobs/settings.js';
export * from './jobs/usage.js';
export * from './search/operations.js';
export * from './search/schemas.js';
export * from './connections/credentials.js';
export * from './connections/bucket-objects.js';
export * from './connections/events.js';
export * from './connections/node-uploads.js';
export * from './connections/nodes.js';
export * from './connections/operations.js';
export * from './connections/providers.js';
export * from './connections/schemas.js';
export * from './connections/syncs.js';
export * from './webhooks/event-types.js';
export * from './webhooks/events.js';
export * from './webhooks/operations.js';
export * from './webhooks/schemas.js';
export * from './analytics/operations.js';
