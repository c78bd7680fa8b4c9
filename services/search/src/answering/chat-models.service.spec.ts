// Real: HTTP to a chat model on loopback. Faked: the breaker of the server, which records what a question counts as.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Asker } from '@kiln/model-clients/admission/bulkhead';
import type { ChosenServers } from '@kiln/model-clients/admission/model-servers';
import { providerEndpoint } from '@kiln/model-clients/http/provider-endpoint';
import { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import { misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import { ChatModels } from './chat-models.service.js';

let server: ProviderServer;
const http = new ProviderHttp();
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(async () => {
  await http.close();
  await server.close();
});

it('a question counts as its prompt and its longest answer, with the reasoning of a model that counts it', async () => {
  const counted: Asker[] = [];
  const breaker = {
    stream: (_endpoint: unknown, start: () => unknown, _signal: unknown, shared: { asker: Asker }) => {
      counted.push(shared.asker);
      return start();
    },
  };
  const endpoint = providerEndpoint('chat', { baseUrl: `${server.url}/v1`, key: null });
  const servers = [{ endpoint, breaker }] as unknown as ChosenServers['servers'];
  const models = new ChatModels({
    servers: { choose: () => null },
    keys: { keyOf: async () => null },
    http,
    models: ['reasoning'],
    deadlineMs: 10_000,
    answerTokensMax: 800,
    onFailure: () => undefined,
  });
  const ask = async () => {
    const question = { messages: [{ role: 'user' as const, content: 'How hot?' }], tokensMax: models.answerTokensMax };
    const pieces = models.stream(
      { model: 'reasoning', servers },
      question,
      { owner: 'one', promptTokens: 50 },
      new AbortController().signal,
    );
    while (!(await pieces.next()).done);
  };
  server.next(misbehaviour.status(400, {}, { error: { message: 'max_tokens: use max_completion_tokens' } }));
  await ask();
  await ask();
  expect(counted).toStrictEqual([
    { owner: 'one', tokens: 850 },
    { owner: 'one', tokens: 4_850 },
  ]);
});
