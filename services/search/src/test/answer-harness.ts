// Answers to questions, with a real database, object store and vector index, and chat models on loopback that misbehave on request.
import { uuidOf, type AnswerSource, type SearchInput } from '@kiln/contracts';
import { ModelServers } from '@kiln/model-clients/admission/model-servers';
import { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import type { StreamContext } from '@kiln/platform';
import { misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import { AnswerQuestion } from '../answering/answer-question.usecase.js';
import { Answerers } from '../answering/answerers.service.js';
import { ChatModels } from '../answering/chat-models.service.js';
import { ExtractiveAnswerer } from '../answering/extractive-answerer.adapter.js';
import { RankForQuestion } from '../answering/question-ranking.service.js';
import { RankExistingFiles } from '../searching/rank-existing-files.usecase.js';
import { ChunkStore } from '../text-index/chunk.store.js';
import { VectorSearch } from '../vectors/vector-search.service.js';
import { startSearch, type SearchHarness } from './search-harness.js';

export const QUESTION = 'At how many degrees is the kiln fired?';
export const FIRED = 'The kiln is fired at 1,200 degrees.';
const silent = { warn: () => undefined };

type Input = SearchInput<'answer'>;

export interface Asked extends Partial<Omit<Input, 'top_k'>> {
  answering?: AnswerQuestion;
  topK?: number;
  context?: Partial<StreamContext>;
}

export const contextOf = (tenantId: string, more: Partial<StreamContext> = {}): StreamContext => ({
  requestId: 'test',
  tenantId,
  mode: 'live',
  principal: 'test',
  deadlineAt: Date.now() + 3_600_000,
  signal: new AbortController().signal,
  asHeavy: (_weight, work) => work(),
  ...more,
});

/** The model streams these words. */
export const says = (...words: string[]) =>
  misbehaviour.text(
    [...words.map((content) => JSON.stringify({ choices: [{ delta: { content } }] })), '[DONE]']
      .map((data) => `data: ${data}\n\n`)
      .join(''),
    'text/event-stream',
  );

/** The messages of each request: the system's and the user's. */
export const promptsOf = ({ requests }: ProviderServer) =>
  requests.map(({ json }) => (json['messages'] as { content: string }[]).map(({ content }) => content));

export class AnswerHarness {
  /** The organization's own key for chat. */
  ownKey: string | null = null;
  /** What the organization asks of each answer. */
  instructions: string | null = null;
  private readonly http = new ProviderHttp();

  private constructor(
    readonly kiln: SearchHarness,
    readonly server: ProviderServer,
    readonly second: ProviderServer,
  ) {}

  static async start(): Promise<AnswerHarness> {
    return new AnswerHarness(...(await Promise.all([startSearch(), startProviderServer(), startProviderServer()])));
  }

  reset(): void {
    this.server.reset();
    this.second.reset();
    this.ownKey = null;
    this.instructions = null;
  }

  async close(): Promise<void> {
    await this.http.close();
    await Promise.all([this.kiln.close(), this.server.close(), this.second.close()]);
  }

  /** Without `urls`, no chat model is configured. */
  open({ urls = [] as readonly string[], deadlineMs = 60_000, patienceMs = 60_000 } = {}): AnswerQuestion {
    const { kiln } = this;
    const existing = new RankExistingFiles(kiln.textIndex, kiln.files);
    const { database, vectorIndex: index, vectors: embedder } = kiln;
    const vectors = new VectorSearch(database, index, embedder, silent);
    const ranking = new RankForQuestion(existing, vectors, silent);
    const servers = new ModelServers({
      provider: 'chat',
      managed: urls.map((url) => ({ url: `${url}/v1`, key: 'sk-managed' })),
      ownUrl: urls[0] === undefined ? null : `${urls[0]}/v1`,
      concurrency: 4,
      requestsPerMinute: null,
      patienceMs,
    });
    const models = new ChatModels({
      servers,
      keys: { keyOf: async () => this.ownKey },
      http: this.http,
      models: urls.length === 0 ? [] : ['small-chat', 'large-chat'],
      deadlineMs,
      answerTokensMax: 800,
      onFailure: () => undefined,
    });
    const answerers = new Answerers(models, new ExtractiveAnswerer(), { of: async () => this.instructions });
    return new AnswerQuestion(ranking, new ChunkStore(database), answerers);
  }

  async ask(tenantId: string, asked: Asked = {}) {
    const { answering = this.open(), topK = 5, context, ...options } = asked;
    const input = { question: QUESTION, top_k: topK, ...options };
    const parts = answering.execute(input, contextOf(tenantId, context));
    const pieces: string[] = [];
    for (;;) {
      const { done, value } = await parts.next();
      if (done) return { answer: pieces.join(''), pieces, ...value };
      pieces.push(value.content);
    }
  }

  delete(fileId: string): void {
    this.kiln.deletedFiles.add(uuidOf('file', fileId));
  }
}

export const filesOf = (sources: readonly AnswerSource[]) => sources.map(({ file_id: id }) => id);
