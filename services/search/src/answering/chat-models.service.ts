// The chat models that answer questions: those that the operator has configured, or the one for which the organization has its own key.
import { badRequest, type CallContext } from '@kiln/contracts';
import type { ChatAnswer, ChatQuestion } from '@kiln/model-clients/chat/chat-model';
import { OpenAiChat } from '@kiln/model-clients/chat/openai-chat';
import type { ChosenServers, ModelServers } from '@kiln/model-clients/admission/model-servers';
import { endpointName } from '@kiln/model-clients/http/provider-endpoint';
import { ProviderError } from '@kiln/model-clients/http/provider-error';
import type { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import type { OrganizationKeys } from '../providers/organization-keys.adapter.js';

interface ChatModelsParts {
  servers: Pick<ModelServers, 'choose'>;
  keys: Pick<OrganizationKeys, 'keyOf'>;
  http: ProviderHttp;
  /** The models that all servers have, the default first. None when the operator has configured no server. */
  models: readonly string[];
  /** Milliseconds for a whole answer. */
  deadlineMs: number;
  /** The longest answer, in tokens of the model. */
  answerTokensMax: number;
  onFailure: (server: string, error: ProviderError) => void;
}

/** A model, and the servers that have it. */
export interface ChosenModel {
  model: string;
  servers: ChosenServers['servers'];
}

export class ChatModels {
  constructor(private readonly parts: ChatModelsParts) {}

  get answerTokensMax(): number {
    return this.parts.answerTokensMax;
  }

  /**
   * The model for this caller, by name or the default. Null without servers, and in test mode, which never calls a provider. Throws
   * BAD_REQUEST for a model that is not offered.
   */
  async choose(context: CallContext, name?: string): Promise<ChosenModel | null> {
    const { models, servers, keys } = this.parts;
    const model = name ?? models[0];
    if (model === undefined) return null;
    if (!models.includes(model)) throw notOffered(models);
    if (context.mode === 'test') return null;
    const chosen = servers.choose(await keys.keyOf('chat', context));
    return chosen && { model, servers: chosen.servers };
  }

  /** The models for this caller, the default first. */
  async offered(context: CallContext): Promise<readonly string[]> {
    return (await this.choose(context)) === null ? [] : this.parts.models;
  }

  /**
   * Yields the answer in pieces, and returns the whole answer. When a server fails before its first piece, the next one is asked. Tenants
   * share the slots of each server. `promptTokens` is an estimate. Throws ProviderError, or the signal's reason.
   */
  async *stream(
    { model, servers }: ChosenModel,
    question: ChatQuestion,
    { owner, promptTokens }: { owner: string; promptTokens: number },
    signal: AbortSignal,
  ): AsyncGenerator<string, ChatAnswer> {
    const { http, deadlineMs, onFailure } = this.parts;
    let failure: unknown;
    for (const { endpoint, breaker } of servers) {
      const chat = new OpenAiChat({ endpoint, http, model, deadlineMs });
      const asker = { owner, tokens: promptTokens + chat.answerTokensMax(question) };
      const shared = { asker, tokensOf: tokensUsed };
      const pieces = breaker.stream(endpoint, () => chat.stream(question, signal), signal, shared);
      let hasBegun = false;
      try {
        for (;;) {
          const { done, value } = await pieces.next();
          if (done) return value;
          hasBegun = true;
          yield value;
        }
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        onFailure(endpointName(endpoint), error);
        // All servers have the same model, so the next one would give the same answer.
        const isFinal = hasBegun || error.code === 'provider_unauthorized' || error.fault === 'wordless';
        if (isFinal) throw error;
        failure = error;
      } finally {
        // A reader that stops closes the connection.
        await pieces.return({ text: '', isWhole: false, usage: null });
      }
    }
    throw failure;
  }
}

function notOffered(models: readonly string[]) {
  if (models.length === 0) return badRequest('model must be omitted: no chat model is configured.');
  return badRequest(`model must be one of: ${models.join(', ')}.`);
}

const tokensUsed = ({ usage }: ChatAnswer) => (usage ? usage.promptTokens + usage.answerTokens : undefined);
