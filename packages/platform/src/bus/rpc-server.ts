// Answers operations over core NATS in the service's queue group: validates the input, and replies before the caller's deadline
// with the result or a coded error, however long the work takes. What leaves is what the contract names, and nothing else.
import {
  asCodedError,
  commonErrors,
  CodedError,
  describeProblems,
  ERROR_HEADER,
  MESSAGE_BYTES_MAX,
  parseInput,
  unavailable,
  type CallContext,
  type Operation,
} from '@kiln/contracts';
import { headers, type Msg, type MsgHdrs, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import type { Logger } from '../observability/logger.js';
import type { Metrics } from '../observability/metrics.js';
import { contextFromHeaders } from './call-context.js';
import { rpcSubject } from './names.js';
import { SendQueue } from './send-queue.js';
import { answerPings } from './service-ping.js';
import { SharedPlaces } from './shared-places.js';

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

/** Above this many calls at once the caller is asked to come back, instead of everyone waiting longer. Tenants share them. */
const IN_FLIGHT_MAX = 2_000;
/** For the way of a reply to a caller that still waits. */
const REPLY_MS = 250;

export class RpcServer {
  private readonly subscriptions: Subscription[] = [];
  private readonly sends = new SendQueue();
  private readonly places = new SharedPlaces(IN_FLIGHT_MAX);
  /** Calls without a reply yet. */
  private inFlight = 0;

  constructor(private readonly options: RpcServerOptions) {}

  listen(operation: Operation, handler: OperationHandler): void {
    const { connection, namespace, service, logger } = this.options;
    const subscription = connection.subscribe(rpcSubject(namespace, operation.subject), {
      queue: service,
      callback: (error, message) => {
        if (error) logger.error({ err: error, operation: operation.subject }, 'subscription failed');
        else void this.answer(operation, handler, message);
      },
    });
    if (this.subscriptions.length === 0) this.subscriptions.push(answerPings(connection, namespace, service));
    this.subscriptions.push(subscription);
  }

  /** Takes no new calls; those begun are answered, up to the deadline. */
  async drain(deadlineMs: number): Promise<void> {
    await Promise.all(this.subscriptions.splice(0).map((subscription) => subscription.drain()));
    const end = Date.now() + deadlineMs;
    while (this.inFlight > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  private async answer(operation: Operation, handler: OperationHandler, message: Msg): Promise<void> {
    const startedAt = performance.now();
    this.inFlight++;
    let outcome = 'ok';
    let reply: Reply;
    try {
      reply = { payload: await this.run(operation, handler, message) };
    } catch (error) {
      const coded = withinContract(operation, asCodedError(error));
      outcome = coded.code;
      reply = this.refusal(operation, message, coded);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    this.options.metrics.operationSeconds.observe({ operation: operation.subject, outcome }, seconds);
    this.sends.add(() => this.respond(message, reply));
  }

  private respond(message: Msg, { payload, headers: replyHeaders }: Reply): void {
    this.inFlight--;
    // The caller has its deadline; a connection that is gone has nobody left to tell.
    if (this.options.connection.isClosed()) return;
    message.respond(payload, replyHeaders && { headers: replyHeaders });
  }

  private async run(operation: Operation, handler: OperationHandler, message: Msg): Promise<string> {
    const context = contextFromHeaders(message.headers);
    if (!context) throw new CodedError('BAD_REQUEST', 'The call carries no context.');
    this.take(context.tenantId);
    try {
      const waitMs = Math.min(context.deadlineAt - Date.now(), operation.timeoutMs);
      // The caller waits no more: work on it would only slow down the others.
      if (waitMs <= 0) throw this.tooLate();
      const workMs = Math.max(waitMs / 2, waitMs - REPLY_MS);
      const input = parseInput(operation.input, readJson(message));
      const work = handler(input, { ...context, deadlineAt: Date.now() + workMs });
      return payloadOf(operation, await this.withinDeadline(work, workMs));
    } finally {
      this.places.release(context.tenantId);
    }
  }

  private take(tenantId: string): void {
    const refusal = this.places.take(tenantId);
    if (refusal === 'all') throw unavailable(`The ${this.options.service} service`);
    if (refusal === 'tenant') {
      const message = 'Too many of your requests are under way. Retry when some of them have ended.';
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
    const replyHeaders = headers();
    replyHeaders.set(ERROR_HEADER, coded.code);
    const payload = JSON.stringify({ message: coded.message, retryAfterSeconds: coded.retryAfterSeconds });
    return { payload, headers: replyHeaders };
  }
}

/** A code that callers of the operation do not know of is a fault of ours. */
function withinContract({ subject, errors }: Operation, error: CodedError): CodedError {
  if (errors.includes(error.code) || commonErrors.includes(error.code)) return error;
  const cause = new Error(`${error.code} is not in the contract of ${subject}`, { cause: error });
  return asCodedError(cause);
}

function payloadOf(operation: Operation, result: unknown): string {
  // Fields that the contract does not name stay here, however they came into the result.
  const output = operation.output.safeParse(result ?? {});
  if (!output.success) {
    throw new Error(`the answer of ${operation.subject} does not fit its contract: ${describeProblems(output.error)}`);
  }
  const payload = JSON.stringify(output.data);
  if (Buffer.byteLength(payload) > MESSAGE_BYTES_MAX) {
    throw new Error(`the answer of ${operation.subject} is over ${MESSAGE_BYTES_MAX} bytes; pass bulk by reference`);
  }
  return payload;
}

function readJson(message: Msg): unknown {
  try {
    return message.json();
  } catch {
    throw new CodedError('BAD_REQUEST', 'The call is not JSON.');
  }
}
