// Variables of processes that call extraction engines, embedding models or chat models. The operator chooses them. Without any,
// Kiln's own engines read the documents.
import { z } from 'zod';

/** The variables of `shape`, each with `prefix` before its name. */
function prefixed<Prefix extends string, Shape extends Record<string, z.ZodType>>(prefix: Prefix, shape: Shape) {
  const entries = Object.entries(shape).map(([name, type]) => [`${prefix}${name}`, type]);
  return Object.fromEntries(entries) as { [Name in keyof Shape & string as `${Prefix}${Name}`]: Shape[Name] };
}

const listed = (text: string) => text.split(',').map((entry) => entry.trim());

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === '';
}

const URL_HINT = 'must be an http(s) URL without user and password; the key goes into the variable that ends in _KEY';

const remoteUrl = z.string().refine(isPlainUrl, { error: URL_HINT });
const urlList = z
  .string()
  .transform(listed)
  .refine((urls) => urls.every(isPlainUrl), { error: `each ${URL_HINT}` });
/** Protocols that an engine can speak instead of the usual one of its variable. A prefix of its URL names it: `chat+https://host/v1`. */
export type EngineProtocol = 'unstructured' | 'chat';

export interface EngineAddress {
  url: string;
  /** Null: the usual one. */
  protocol: EngineProtocol | null;
}

function engineAddress(text: string): EngineAddress {
  const [, protocol, url] = /^(unstructured|chat)\+(.*)$/s.exec(text) ?? [];
  return { url: url ?? text, protocol: (protocol as EngineProtocol | undefined) ?? null };
}

function isEngineUrl(text: string, protocols: readonly EngineProtocol[]): boolean {
  const { url, protocol } = engineAddress(text);
  return isPlainUrl(url) && (protocol === null || protocols.includes(protocol));
}

const engineHint = (protocols: readonly EngineProtocol[]) =>
  protocols.length === 0
    ? URL_HINT
    : `${URL_HINT}; before it may stand ${protocols.map((name) => `${name}+`).join(' or ')}`;

const engineList = (protocols: readonly EngineProtocol[]) =>
  z
    .string()
    .transform(listed)
    .refine((engines) => engines.every((engine) => engine === 'local' || isEngineUrl(engine, protocols)), {
      error: `each must be "local", or ${engineHint(protocols)}`,
    })
    .refine((engines) => new Set(engines).size === engines.length, { error: 'must name each engine once' });
/** One key for all remote engines, or one per remote engine in their order. Empty for an engine that needs none. */
const keyList = z.string().transform(listed).optional();

/** Limits of one process per remote engine. */
const limits = {
  /** Concurrent requests per engine. */
  _CONCURRENCY: z.coerce.number().int().min(1).max(256).default(4),
  /** Requests per minute and engine. */
  _REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).optional(),
};

const extractor = (protocols: readonly EngineProtocol[]) => ({
  /** Engines in the order of preference: `local`, or a URL. A later engine is used if the earlier ones fail. */
  '': engineList(protocols).default(['local']),
  _KEY: keyList,
  /** The engine that receives the organizations' own keys. Default: the first URL of the list. */
  _BYOK_URL: z
    .string()
    .refine((url) => isEngineUrl(url, protocols), { error: engineHint(protocols) })
    .optional(),
  ...limits,
  /** Timeout in milliseconds per file and engine. */
  _DEADLINE_MS: z.coerce.number().int().min(1_000).default(300_000),
});

const model = {
  /** Base URLs of servers with this model, including `/v1`, in the order of preference. */
  _URL: urlList.optional(),
  _KEY: keyList,
  _BYOK_URL: remoteUrl.optional(),
  ...limits,
  _DEADLINE_MS: z.coerce.number().int().min(1_000).default(60_000),
};

export const extractorVariables = {
  ...prefixed('KILN_DOCUMENT_EXTRACTOR', extractor(['unstructured'])),
  ...prefixed('KILN_IMAGE_EXTRACTOR', extractor(['unstructured', 'chat'])),
  /** The model of engines that speak `chat`. */
  KILN_IMAGE_EXTRACTOR_MODEL: z.string().min(1).optional(),
  ...prefixed('KILN_AUDIO_EXTRACTOR', extractor([])),
  KILN_AUDIO_EXTRACTOR_MODEL: z.string().min(1).default('whisper-1'),
};

const modelList = z
  .string()
  .transform(listed)
  .refine((models) => models.every((name) => name !== ''), { error: 'must not have an empty name' });

export const embeddingVariables = {
  ...prefixed('KILN_EMBEDDING', model),
  /** The default model, followed by other models that a request or an organization may name. */
  KILN_EMBEDDING_MODEL: modelList.default(['text-embedding-3-small', 'text-embedding-3-large']),
  /** Requested from models that can shorten their vectors. */
  KILN_EMBEDDING_DIMENSIONS: z.coerce.number().int().min(1).max(8_192).optional(),
  /** Limits of one request: the number of texts and their total characters. */
  KILN_EMBEDDING_BATCH_INPUTS: z.coerce.number().int().min(1).max(2_048).default(128),
  KILN_EMBEDDING_BATCH_CHARACTERS: z.coerce.number().int().min(100).default(100_000),
};

/** A caller waits 90 seconds for an answer, and the search before it and the way back need some of them. */
const CHAT_DEADLINE_MS_MAX = 80_000;

export const chatVariables = {
  ...prefixed('KILN_CHAT', model),
  KILN_CHAT_DEADLINE_MS: z.coerce.number().int().min(1_000).max(CHAT_DEADLINE_MS_MAX).default(60_000),
  /** The default model, followed by other models that a question may name. All servers have them. */
  KILN_CHAT_MODEL: modelList.optional(),
  /** The longest answer, in tokens of the model. Some models count their reasoning as well. */
  KILN_CHAT_ANSWER_TOKENS: z.coerce.number().int().min(16).max(32_768).default(800),
};

/** Servers of a reranking model, which scores how relevant a text is to a query. */
export const rerankVariables = {
  KILN_RERANK_URL: urlList.optional(),
  KILN_RERANK_KEY: keyList,
  ...prefixed('KILN_RERANK', limits),
  /** A search waits for the answer. */
  KILN_RERANK_DEADLINE_MS: z.coerce.number().int().min(100).max(5_000).default(2_000),
  KILN_RERANK_MODEL: z.string().min(1).default('rerank'),
};

export type ExtractorConfig = Readonly<z.output<z.ZodObject<typeof extractorVariables>>>;
export type EmbeddingConfig = Readonly<z.output<z.ZodObject<typeof embeddingVariables>>>;
export type RerankConfig = Readonly<z.output<z.ZodObject<typeof rerankVariables>>>;
export type ChatConfig = Readonly<z.output<z.ZodObject<typeof chatVariables>>>;

/** A remote engine that the operator configured. */
export interface ManagedEngine extends EngineAddress {
  key: string | null;
}

const EXTRACTORS = ['KILN_DOCUMENT_EXTRACTOR', 'KILN_IMAGE_EXTRACTOR', 'KILN_AUDIO_EXTRACTOR'] as const;
const MODELS = ['KILN_EMBEDDING', 'KILN_CHAT', 'KILN_RERANK'] as const;

/** For `superRefine`: checks that the keys and the model match the engines, for those variables that a process has. */
export function checkProviderVariables(
  given: Partial<ExtractorConfig & EmbeddingConfig & ChatConfig & RerankConfig>,
  context: z.RefinementCtx,
): void {
  const check = (name: string, urls: readonly string[], keys: readonly string[] | undefined): void => {
    const remote = urls.filter((url) => url !== 'local').length;
    if (keys === undefined || keys.length === 1 || keys.length === remote) return;
    const message = `must hold one key, or ${remote}: one for each remote engine`;
    context.addIssue({ code: 'custom', path: [`${name}_KEY`], message });
  };
  for (const name of EXTRACTORS) check(name, given[name] ?? [], given[`${name}_KEY`]);
  const images = [...(given.KILN_IMAGE_EXTRACTOR ?? []), given.KILN_IMAGE_EXTRACTOR_BYOK_URL ?? ''];
  if (given.KILN_IMAGE_EXTRACTOR_MODEL === undefined && images.some((url) => engineAddress(url).protocol === 'chat')) {
    const message = 'must name the model of the engines that speak chat';
    context.addIssue({ code: 'custom', path: ['KILN_IMAGE_EXTRACTOR_MODEL'], message });
  }
  for (const name of MODELS) check(name, given[`${name}_URL`] ?? [], given[`${name}_KEY`]);
}

/** The engines of a list, each with its key. Null means `local`. */
export function managedEngines(urls: readonly string[], keys: readonly string[] = []): (ManagedEngine | null)[] {
  let remote = 0;
  return urls.map((url) => {
    if (url === 'local') return null;
    const key = keys.length === 1 ? keys[0] : keys[remote];
    remote++;
    return { ...engineAddress(url), key: key === undefined || key === '' ? null : key };
  });
}

/** The engine that organizations' own keys are for: `byokUrl`, or the first remote engine. Null without a remote engine. */
export function ownKeyEngine(urls: readonly string[], byokUrl: string | undefined): EngineAddress | null {
  const url = byokUrl ?? urls.find((other) => other !== 'local');
  return url === undefined ? null : engineAddress(url);
}

/** The servers of a kind of model, as the operator configured them. */
export interface ModelServerSettings {
  managed: ManagedEngine[];
  /** Where organizations' own keys are used. Null: such a key has no effect. */
  ownUrl: string | null;
  concurrency: number;
  requestsPerMinute: number | null;
}

export function embeddingServers(config: EmbeddingConfig): ModelServerSettings {
  return {
    ...serversOf(config.KILN_EMBEDDING_URL, config.KILN_EMBEDDING_KEY, config.KILN_EMBEDDING_BYOK_URL),
    concurrency: config.KILN_EMBEDDING_CONCURRENCY,
    requestsPerMinute: config.KILN_EMBEDDING_REQUESTS_PER_MINUTE ?? null,
  };
}

export function rerankServers(config: RerankConfig): ModelServerSettings {
  return {
    ...serversOf(config.KILN_RERANK_URL, config.KILN_RERANK_KEY),
    concurrency: config.KILN_RERANK_CONCURRENCY,
    requestsPerMinute: config.KILN_RERANK_REQUESTS_PER_MINUTE ?? null,
  };
}

export function chatServers(config: ChatConfig): ModelServerSettings {
  return {
    ...serversOf(config.KILN_CHAT_URL, config.KILN_CHAT_KEY, config.KILN_CHAT_BYOK_URL),
    concurrency: config.KILN_CHAT_CONCURRENCY,
    requestsPerMinute: config.KILN_CHAT_REQUESTS_PER_MINUTE ?? null,
  };
}

function serversOf(urls: readonly string[] = [], keys?: readonly string[], ownUrl?: string) {
  const managed = managedEngines(urls, keys).filter((engine) => engine !== null);
  return { managed, ownUrl: ownUrl ?? urls[0] ?? null };
}
