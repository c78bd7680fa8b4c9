// Answers operations over core NATS in the service's queue group. It validates the input and replies before the caller's deadline
// with the result or a coded error, even if the work takes longer. Replies contain only what the contract names.
import { asCodedError, CodedError, parseInput, unavailable, type CallContext, type Operation } from '@kiln/contracts';
import type { Msg, MsgHdrs, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Logger } from '../observability/logger.js';
import type { Metrics } from '../observability/metrics.js';
import { endFailed, isTracing, SpanKind, startSpan, withSpan, type Span } from '../observability/tracing.js';
import { aboutCall } from './call-attributes.js';
import { contextFromHeaders } from './call-context.js';
import { rpcSubject } from './names.js';
import { errorReply, payloadOf, readJson, withinContract } from './replies.js';
import { SendQueue } from './send-queue.js';
import { answerPings } from './service-ping.js';
import { SharedPlaces } from './shared-places.js';
import { traceOf } from './trace-headers.js';

export type OperationHandler = (input: unknown, context: CallContext) => Promise<unknown>;

export interface RpcServerOptions {
  connection: NatsConnection;
  namespace: string;
  service: string;
  logger: Logger;
  metrics: Metrics;
}

interface Reply {
  payload: string;
  headers?: MsgHdrs;
}

/** The limit of concurrent calls. Above it, callers are asked to retry. Tenants share it. */
const IN_FLIGHT_MAX = 2_000;
/** Time reserved for the reply to travel back before the caller's deadline. */
const REPLY_MS = 250;
/** Part of that time, in which a handler can say which other service has not replied by its deadline. */
const NAMING_SHARE = 0.4;

export class RpcServer {
  private readonly subscriptions: Subscription[] = [];
  private readonly sends = new SendQueue();
  private readonly places = new SharedPlaces(IN_FLIGHT_MAX);
  /** Calls that have no reply yet. */
  private inFlight = 0;

  constructor(private readonly options: RpcServerOptions) {}

  listen(operation: Operation, handler: OperationHandler): void {
    const { connection, namespace, service, logger } = this.options;
    const subscription = connection.subscribe(rpcSubject(namespace, operation.subject), {
      queue: service,
      callback: (error, message) => {
        if (error) logger.error({ err: error, operation: operation.subject }, 'subscription failed');
        else void this.receive(operation, handler, message);
      },
    });
    if (this.subscriptions.length === 0) this.subscriptions.push(answerPings(connection, namespace, service));
    this.subscriptions.push(subscription);
  }

  /** Accepts no new calls. Waits for running calls until the deadline. */
  async drain(deadlineMs: number): Promise<void> {
    await Promise.all(this.subscriptions.splice(0).map((subscription) => subscription.drain()));
    const end = Date.now() + deadlineMs;
    while (this.inFlight > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** A call outside a trace does not start one, because workers poll all the time. */
  private receive(operation: Operation, handler: OperationHandler, message: Msg): Promise<void> {
    const parent = isTracing() ? traceOf(message.headers) : undefined;
    if (!parent) return this.answer(operation, handler, message);
    const span = startSpan(operation.subject, { kind: SpanKind.SERVER, parent, attributes: aboutCall(operation) });
    return withSpan(span, () => this.answer(operation, handler, message, span));
  }

  private async answer(operation: Operation, handler: OperationHandler, message: Msg, span?: Span): Promise<void> {
    const startedAt = performance.now();
    this.inFlight++;
    let outcome = 'ok';
    let reply: Reply;
    try {
      reply = { payload: await this.run(operation, handler, message) };
      span?.end();
    } catch (error) {
      const coded = withinContract(operation, asCodedError(error));
      outcome = coded.code;
      reply = this.refusal(operation, message, coded);
      if (span) endFailed(span, coded);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    this.options.metrics.operationSeconds.record(seconds, { operation: operation.subject, outcome });
    this.sends.add(() => this.respond(message, reply));
  }

  private respond(message: Msg, { payload, headers: replyHeaders }: Reply): void {
    this.inFlight--;
    // The caller has its own deadline. After a connection loss the reply reaches no caller.
    if (this.options.connection.isClosed()) return;
    message.respond(payload, replyHeaders && { headers: replyHeaders });
  }

  private async run(operation: Operation, handler: OperationHandler, message: Msg): Promise<string> {
    const context = contextFromHeaders(message.headers);
    if (!context) throw new CodedError('BAD_REQUEST', 'The call has no context.');
    this.take(context.tenantId);
    try {
      const waitMs = Math.min(context.deadlineAt - Date.now(), operation.timeoutMs);
      // The deadline has passed. Work on the call would only slow down others.
      if (waitMs <= 0) throw this.tooLate();
      const workMs = Math.max(waitMs / 2, waitMs - REPLY_MS);
      const input = parseInput(operation.input, readJson(message));
      const work = handler(input, { ...context, deadlineAt: Date.now() + workMs });
      const endMs = workMs + (waitMs - workMs) * NAMING_SHARE;
      return payloadOf(operation.subject, operation.output, await this.withinDeadline(work, endMs));
    } finally {
      this.places.release(context.tenantId);
    }
  }

  private take(tenantId: string): void {
    const refusal = this.places.take(tenantId);
    if (refusal === 'all') throw unavailable(`The ${this.options.service} service`);
    if (refusal === 'tenant') {
      const message = 'Too many of your requests are running. Retry when some of them have ended.';
      throw new CodedError('RATE_LIMITED', message, { retryAfterSeconds: 1 });
    }
  }

  private async withinDeadline(work: Promise<unknown>, milliseconds: number): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(this.tooLate()), milliseconds);
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

  private refusal(operation: Operation, message: Msg, coded: CodedError): Reply {
    const { requestId, tenantId } = contextFromHeaders(message.headers) ?? {};
    if (coded.status >= 500) {
      this.options.logger.error({ err: coded, operation: operation.subject, requestId, tenantId }, 'operation failed');
    }
    return errorReply(coded);
  }
}
