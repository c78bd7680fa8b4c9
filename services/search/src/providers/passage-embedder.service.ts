// Embeds passages for an operator who changes the model. One request at a time: the other places of the provider are for queries.
import { badRequest, unavailable, type CallContext } from '@kiln/contracts';
import { EmbeddingEngines, type ChosenEmbedder } from '@kiln/model-clients/embedding/embedding-engines';
import { ProviderError } from '@kiln/model-clients/http/provider-error';
import { FairSlots } from '@kiln/resilience';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { OrganizationKeys } from './organization-keys.adapter.js';

const RETRY_SECONDS = 1;
const PROBE = 'kiln';

@Injectable()
export class PassageEmbedder {
  private readonly slots = new FairSlots(1);

  constructor(
    @Inject(EmbeddingEngines) private readonly engines: Pick<EmbeddingEngines, 'choose'>,
    @Inject(OrganizationKeys) private readonly keys: Pick<OrganizationKeys, 'keyOf'>,
  ) {}

  /** The length of the vectors of the model. */
  async dimensionsOf(model: string, context: CallContext): Promise<number> {
    const [vector = []] = await this.embed([PROBE], model, context);
    return vector.length;
  }

  /**
   * Returns a vector for each text. Waits for a provider that is busy or unavailable, until the deadline of the call, and throws UNAVAILABLE
   * then. Throws BAD_REQUEST when the operator or the organization has to change something.
   */
  async embed(texts: readonly string[], model: string, context: CallContext): Promise<number[][]> {
    const signal = AbortSignal.timeout(Math.max(0, context.deadlineAt - Date.now()));
    try {
      const chosen = await this.choose(model, context);
      await this.slots.take(context.tenantId, signal);
      try {
        return await this.patiently(chosen, texts, signal);
      } finally {
        this.slots.free(context.tenantId);
      }
    } catch (error) {
      if (signal.aborted) throw unavailable('The provider of embeddings', error);
      throw error instanceof ProviderError ? translate(error) : error;
    }
  }

  private async patiently(
    { chain }: ChosenEmbedder,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<number[][]> {
    for (;;) {
      try {
        return (await chain.run((embedder) => embedder.embed([...texts], signal), signal)).vectors;
      } catch (error) {
        const isPassing = error instanceof ProviderError && (error.transient || !error.wasAsked);
        if (!isPassing || signal.aborted) throw error;
        await wait((error.retryAfterSeconds ?? RETRY_SECONDS) * 1_000, undefined, { signal });
      }
    }
  }

  private async choose(model: string, context: CallContext): Promise<ChosenEmbedder> {
    const ownKey = await this.keys.keyOf('embedding', context);
    const chosen = this.engines.choose({ isTest: false, ownKey, requested: model });
    if (chosen !== null) return chosen;
    throw badRequest('No server makes embeddings here. Set KILN_EMBEDDING_URL, or install a local model.');
  }
}

function translate(error: ProviderError): Error {
  const isCorrectable = error.fault === 'refused' || error.code === 'provider_unauthorized';
  return isCorrectable ? badRequest(error.message) : unavailable('The provider of embeddings', error);
}
