// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Schemas } from '../core/operation-types.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';

export class Search {
  constructor(protected readonly transport: Transport) {}

  /**
   * Search the content of files.
   *
   * Needs the scope `search:read`.
   *
   * `POST /v1/search`
   */
  query(body: Schemas['SearchRequest'], options: RequestOptions = {}): Promise<Schemas['SearchResponse']> {
    return this.transport.json({ method: 'POST', path: '/v1/search', body, isKeyed: true }, options);
  }

  /**
   * Answer a question from files.
   *
   * Answers only from the content of files, and cites its sources: `[n]` in the answer refers to the source with that `citation`. If no file answers the question, the answer says so and `sources` is empty. Without a chat model, the answer consists of the best sentences of the files.
   *
   * Each statement is compared with the sources. `citations` has the sentence that supports it, and where that sentence stands in the file. Statements of the chat model that no source supports are left out, and `omitted_statements` counts them. A comparison of words and numbers does not notice every false statement: read the quotes before you rely on an answer.
   *
   * With `stream: true` the response is server-sent events, each with JSON as its data: `chunk` for each part of the answer, then `sources`, then `done`. A last event has the literal data `[DONE]`. If the answer breaks off, the last event is `error`. An error before the first part is an ordinary error response. A streamed response is not stored for an Idempotency-Key: a repeat asks again.
   *
   * Needs the scope `search:read`.
   *
   * `POST /v1/qa`
   */
  ask(
    body: Omit<Schemas['QuestionRequest'], 'stream'>,
    options: RequestOptions = {},
  ): Promise<Schemas['AnswerQuestionResponse']> {
    return this.transport.json({ method: 'POST', path: '/v1/qa', body, isKeyed: true, isSlow: true }, options);
  }

  /** The same, as the parts of the answer arrive. Leaving the loop ends the request. */
  askStream(
    body: Omit<Schemas['QuestionRequest'], 'stream'>,
    options: RequestOptions = {},
  ): AsyncGenerator<Schemas['AnswerEvent'], void, undefined> {
    return this.transport.eventsOf({ method: 'POST', path: '/v1/qa', body, isKeyed: true, isSlow: true }, options);
  }
}
