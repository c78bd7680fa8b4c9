/** What a provider is for: the five that an operator sets up and an organization can bring a key of its own for. */
export type ProviderValue = 'document_extractor' | 'image_extractor' | 'audio_extractor' | 'embedding' | 'chat';

/** The operator alone sets up reranking. */
export type Purpose = ProviderValue | 'rerank';

/** A remote provider and the key it is asked with. */
export interface ProviderEndpoint {
  provider: Purpose;
  /** In sentences to the owner of a file: `document extraction`. */
  purpose: string;
  /** The base URL. The operator sets it, so private addresses are allowed. Paths are appended. */
  baseUrl: URL;
  key: string | null;
  /** Who owns the key, and must fix it when it is refused. */
  keyOwner: 'operator' | 'organization';
}

const PURPOSES: Readonly<Record<Purpose, string>> = {
  document_extractor: 'document extraction',
  image_extractor: 'image extraction',
  audio_extractor: 'transcription',
  embedding: 'embeddings',
  chat: 'chat answers',
  rerank: 'reranking',
};

export function providerEndpoint(
  provider: Purpose,
  address: { baseUrl: URL | string; key?: string | null; keyOwner?: ProviderEndpoint['keyOwner'] },
): ProviderEndpoint {
  const { baseUrl, key = null, keyOwner = 'operator' } = address;
  return { provider, purpose: PURPOSES[provider], baseUrl: new URL(baseUrl), key, keyOwner };
}

/** For logs, metrics and messages to the operator: host and path, never a key, a user or a query. */
export function endpointName({ baseUrl }: Pick<ProviderEndpoint, 'baseUrl'>): string {
  return `${baseUrl.host}${baseUrl.pathname.replace(/\/$/, '')}`;
}

/** Without a path the base URL itself. */
export function urlOf({ baseUrl }: Pick<ProviderEndpoint, 'baseUrl'>, path: string): URL {
  const url = new URL(baseUrl);
  if (path === '') return url;
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  return url;
}
