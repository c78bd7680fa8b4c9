export type { ChatAnswer, ChatMessage, ChatModel, ChatPart, ChatQuestion, ChatUsage } from '../chat/chat-model.js';
export { OpenAiChat, type OpenAiChatOptions } from '../chat/openai-chat.js';
export { batchInputs, type BatchLimits } from '../embedding/batch-inputs.js';
export type { Embedded, Embedder } from '../embedding/embedder.js';
export {
  EmbeddingEngines,
  type ChosenEmbedder,
  type EmbeddingEnginesOptions,
  type EmbeddingWish,
} from '../embedding/embedding-engines.js';
export { mapAhead } from '../embedding/map-ahead.js';
export { OpenAiEmbedder, type OpenAiEmbedderOptions } from '../embedding/openai-embedder.js';
export { DoclingExtractor } from './docling-extractor.js';
export type { RemoteExtractorOptions } from './document-server.js';
export { CircuitOpenError, circuitDefaults, type CallOutcome, type EngineGate, type GatedCall } from './engine-gate.js';
export { EngineGuard, type GuardOptions } from './engine-guard.js';
export { EngineLimits, NoRoomError, type Asker, type LimitOptions } from './engine-limits.js';
export { FallbackChain, type ChainLink, type ChainOptions } from './fallback-chain.js';
export { ModelServers, type ChosenServers, type ModelServer, type ModelServersOptions } from './model-servers.js';
export { endpointName, providerEndpoint, type ProviderEndpoint, type ProviderValue } from './provider-endpoint.js';
export { ProviderError, type ProviderErrorCode, type ProviderFault } from './provider-error.js';
export { ProviderHttp, type ProviderHttpOptions } from './provider-http.js';
export { fileFault } from './file-faults.js';
export { writeForeignText, type ForeignText } from './write-foreign-text.js';
export { UnstructuredExtractor } from './unstructured-extractor.js';
export { VisionExtractor, type VisionExtractorOptions } from './vision-extractor.js';
export { TranscriptionExtractor, type TranscriptionExtractorOptions } from './transcription-extractor.js';
