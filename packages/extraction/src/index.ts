export { ExtractionError, type ExtractionErrorCode } from './extraction-error.js';
export type {
  DocumentMetadata,
  ExtractionInput,
  ExtractionOutput,
  Extractor,
  PageSpan,
  StatedProperties,
} from './extractor.js';
export { RESULT_TYPE } from './content-type.js';
export { THUMBNAIL_TYPE } from './thumbnails/thumbnail.js';
export { defaultLimits, formatBytes, type ExtractionLimits } from './limits.js';
export { type ExtractionProvider, providerFor } from './routing.js';
export { dataFile, isLanguageName, isShipped, shippedLanguages } from './ocr/ocr-languages.js';
export { problemOfLanguageData } from './ocr/language-data-check.js';
export { ExtractorServer, type ExtractorServerOptions } from './sandbox/extractor-server.js';
export { createRemoteSandbox, type RemoteSandboxOptions } from './sandbox/remote-sandbox.js';
export { createSandbox } from './sandbox/sandbox.js';
export { isSystemFault } from './sandbox/system-fault.js';
export type { Sandbox, SandboxOptions, SandboxStats } from './sandbox/sandbox-options.js';
export type { IsolationDemand, IsolationLevel, ReaderIsolation } from './sandbox/isolation.js';
