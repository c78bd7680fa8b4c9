// Answers operations over core NATS in the service's queue group. It validates the input and replies before the caller's deadline
// with the result or a coded error, even if the work takes longer. Replies contain only what the contract names.
import { asCodedError, CodedError, parseInput, unavailable, type CallContext, type Operation } from '@kiln/contracts';
import type { Msg, MsgHdrs, Subscription } from '@nats-io/transport-node';
import { answerCalls, type Outcome, type RpcServerOptions } from './answer-calls.js';
import { contextFromHeaders } from './call-context.js';
import { inCall, type RunningCall } from './current-call.js';
import { HeavyCalls, weightOfBytes } from './heavy-calls.js';
import { payloadOf, readJson, refusal, withinContract } from './replies.js';
import { revisionHeaders } from './revisions.js';
import { SendQueue } from './send-queue.js';
import { answerPings } from './service-ping.js';
import { SharedPlaces, takePlaces } from './shared-places.js';

export type { RpcServerOptions } from './answer-calls.js';

export type OperationHandler = (input: unknown, context: CallContext) => Promise<unknown>;

/**
 * How much an input asks for: 0 for a usual one, 512 for as much as a process should do at a time. A large message has a weight by
 * its bytes; this adds what its bytes do not show.
 */
export type WeightOf = (input: never) => number;

interface Answered {
  operation: Operation;
  handler: OperationHandler;
  weightOf: WeightOf | undefined;
}

interface Reply {
  payload: string;
  headers?: MsgHdrs | undefined;
}

/** The limit of concurrent calls, where 32 KiB of input count as one more. Above it, callers are asked to retry. Tenants share it. */
const IN_FLIGHT_MAX = 2_000;
const PLACE_BYTES = 32_768;
/** Time reserved for the reply to travel back before the caller's deadline. */
const REPLY_MS = 250;
/** Part of that time, in which a handler can say which other service has not replied by its deadline. */
const NAMING_SHARE = 0.4;

export class RpcServer {
  private readonly subscriptions: Subscription[] = [];
  private readonly sends = new SendQueue();
  private readonly places = new SharedPlaces(IN_FLIGHT_MAX);
  private readonly heavy: HeavyCalls;
  /** Calls that have no reply yet. */
  private inFlight = 0;

  constructor(private readonly options: RpcServerOptions) {
    this.heavy = options.heavyCalls ?? new HeavyCalls();
  }

  listen(operation: Operation, handler: OperationHandler, weightOf?: WeightOf): void {
    const answered = { operation, handler, weightOf };
    const { connection, namespace, service } = this.options;
    if (this.subscriptions.length === 0) this.subscriptions.push(answerPings(connection, namespace, service));
    this.subscriptions.push(answerCalls(this.options, operation, (message) => this.answer(answered, message)));
  }

  /** Accepts no new calls. Waits for running calls until the deadline. */
  async drain(deadlineMs: number): Promise<void> {
    await Promise.all(this.subscriptions.splice(0).map((subscription) => subscription.drain()));
    const end = Date.now() + deadlineMs;
    while (this.inFlight > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  private async answer(answered: Answered, message: Msg): Promise<Outcome> {
    const { operation } = answered;
    this.inFlight++;
    let outcome: Outcome = 'ok';
    let reply: Reply;
    try {
      reply = { payload: await this.run(answered, message), headers: revisionHeaders(operation, message) };
    } catch (error) {
      outcome = withinContract(operation, asCodedError(error));
      reply = refusal(operation, message, outcome, this.options.logger);
    }
    this.sends.add(() => this.respond(message, reply));
    return outcome;
  }

  private respond(message: Msg, { payload, headers: replyHeaders }: Reply): void {
    this.inFlight--;
    // The caller has its own deadline. After a connection loss the reply reaches no caller.
    if (this.options.connection.isClosed()) return;
    message.respond(payload, replyHeaders && { headers: replyHeaders });
  }

  private async run(answered: Answered, message: Msg): Promise<string> {
    const { operation } = answered;
    const context = contextFromHeaders(message.headers);
    if (!context) throw new CodedError('BAD_REQUEST', 'The call has no context.');
    const places = 1 + Math.floor(message.data.length / PLACE_BYTES);
    takePlaces(this.places, this.options.service, context.tenantId, places);
    try {
      const waitMs = Math.min(context.deadlineAt - Date.now(), operation.timeoutMs);
      // The deadline has passed. Work on the call would only slow down others.
      if (waitMs <= 0) throw this.tooLate();
      const workMs = Math.max(waitMs / 2, waitMs - REPLY_MS);
      const endMs = workMs + (waitMs - workMs) * NAMING_SHARE;
      const call = this.heavy.begin(context.tenantId);
      const timed = { ...context, deadlineAt: Date.now() + workMs };
      const work = inCall(call, () => this.work(answered, message, timed, call));
      return payloadOf(operation.subject, operation.output, await this.withinDeadline(work, endMs, call));
    } finally {
      this.places.release(context.tenantId, places);
    }
  }

  private async work(
    { operation, handler, weightOf }: Answered,
    message: Msg,
    context: CallContext,
    call: RunningCall,
  ): Promise<unknown> {
    const read = () => parseInput(operation.input, readJson(message));
    const weight = weightOfBytes(message.data.length);
    if (!weightOf) return this.heavy.run(call, weight, async () => handler(read(), context));
    // If calls kept their places while they wait for more, they could wait for each other.
    const input = await this.heavy.run(call, weight, async () => read());
    return this.heavy.run(call, Math.max(weight, weightOf(input as never)), () => handler(input, context));
  }

  /** At the end, the call is over: what it still does in the database ends with it. */
  private async withinDeadline(work: Promise<unknown>, milliseconds: number, call: RunningCall): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(this.tooLate());
        call.end();
      }, milliseconds);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  private tooLate(): CodedError {
    return unavailable(`The ${this.options.service} service`, new Error('no result before the deadline'));
  }
}
