export { ExtractionError, type ExtractionErrorCode } from './extraction-error.js';
export type { DocumentMetadata, ExtractionInput, ExtractionOutput, Extractor, PageSpan } from './extractor.js';
export { defaultLimits, type ExtractionLimits } from './limits.js';
export { type ExtractionProvider, providerFor } from './routing.js';
export { ExtractorServer, type ExtractorServerOptions } from './sandbox/extractor-server.js';
export { createRemoteSandbox, type RemoteSandboxOptions } from './sandbox/remote-sandbox.js';
export { createSandbox } from './sandbox/sandbox.js';
export type { Sandbox, SandboxOptions, SandboxStats } from './sandbox/sandbox-options.js';
export type { IsolationDemand, IsolationLevel, ReaderIsolation } from './sandbox/isolation.js';
