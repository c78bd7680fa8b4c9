// Answers questions, as one response or as server-sent events. The search service streams each answer, so that it stops work when
// the caller leaves, whichever form was requested.
import {
  NO_SOURCES,
  searchOperations,
  SOURCES_DEFAULT,
  type AnswerEnding,
  type AnswerEvent,
  type portalQuestionRequestSchema,
  type questionRequestSchema,
} from '@kiln/contracts';
import { within } from '@kiln/resilience';
import type { z } from 'zod';
import { spaceFor, type Caller } from '../auth/caller.domain.js';
import { clientDisconnect } from '../http/client-disconnect.http.js';
import { stateOf } from '../http/request-state.http.js';
import { Reply } from '../routes/reply.domain.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';

/** The longest time for a whole answer. */
export const ANSWER_MS = searchOperations.answer.timeoutMs;
/**
 * Until then an error is sent as an error response. After that the stream begins without its first part, so that heartbeats keep
 * the connection open.
 */
const FIRST_PART_MS = 10_000;

type Body = z.output<typeof portalQuestionRequestSchema> & Pick<z.output<typeof questionRequestSchema>, 'space'>;
type Asked = Pick<RouteRequest<object, object, Body, Caller>, 'body' | 'caller' | 'context' | 'http'>;
type Services = Pick<GatewayServices, 'rpc'>;
type Parts = AsyncGenerator<{ content: string }, AnswerEnding>;

export async function answerQuestion(asked: Asked, services: Services) {
  const { body } = asked;
  const { first, parts } = startAnswer(asked, services);
  if (!body.stream) return { question: body.question, ...(await wholeOf(first, parts)) };
  // If it fails later, whoever awaits it next gets the failure.
  await within(FIRST_PART_MS, first, () => undefined);
  return new Reply({ events: eventsOf(first, parts) });
}

/** Returns the answer when it is complete, whatever `body.stream` says. */
export function askWhole(asked: Asked, services: Services) {
  const { first, parts } = startAnswer(asked, services);
  return wholeOf(first, parts);
}

function startAnswer({ body, caller, context, http }: Asked, { rpc }: Services) {
  const { stream: _stream, topK, ...asked } = body;
  const { top_k = topK ?? SOURCES_DEFAULT } = asked;
  const input = { ...asked, top_k, ...spaceFor(caller, body.space) };
  const parts = rpc.stream(searchOperations.answer, input, context, clientDisconnect(http));
  const first = parts.next();
  // With the first part the search is over. From then on the request waits for the model.
  const releaseWork = () => stateOf(http).heavyWork?.release();
  first.then(releaseWork, releaseWork);
  return { first, parts };
}

async function wholeOf(first: ReturnType<Parts['next']>, parts: Parts): Promise<{ answer: string } & AnswerEnding> {
  let text = '';
  for (let next = await first; ; next = await parts.next()) {
    if (next.done) return { answer: text, ...next.value };
    text += next.value.content;
  }
}

async function* eventsOf(first: ReturnType<Parts['next']>, parts: Parts): AsyncGenerator<AnswerEvent> {
  try {
    for (let next = await first; ; next = await parts.next()) {
      if (!next.done) {
        yield { type: 'chunk', content: next.value.content };
        continue;
      }
      yield { type: 'sources', ...next.value };
      return yield { type: 'done' };
    }
  } finally {
    // A caller that leaves stops reading.
    await parts.return(NO_SOURCES);
  }
}
