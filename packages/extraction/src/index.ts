export { ExtractionError } from '@kiln/pdf/extraction-error';
export type {
  DocumentMetadata,
  ExtractionInput,
  ExtractionOutput,
  Extractor,
  StatedProperties,
} from '@kiln/readers/extractor';
export type { PageSpan } from '@kiln/pdf/markdown/paged-text';
export { RESULT_TYPE } from '@kiln/file-types/content-type';
export { defaultLimits } from '@kiln/readers/limits';
export { formatBytes } from '@kiln/pdf/format-bytes';
export type { ExtractionProvider } from './routing.js';
export { ExtractorServer } from './sandbox/extractor-server.js';
export { createRemoteSandbox } from './sandbox/remote-sandbox.js';
export { createSandbox } from './sandbox/sandbox.js';
export { isSystemFault } from './sandbox/system-fault.js';
export type { Sandbox } from './sandbox/sandbox-options.js';
