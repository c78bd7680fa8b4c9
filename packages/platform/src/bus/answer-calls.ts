// What answering a call and answering a stream have in common: the subscription, the span and the duration.
import { CodedError, type Operation } from '@kiln/contracts';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Logger } from '../observability/logger.js';
import type { Metrics } from '../observability/metrics.js';
import { inLogContext, type LogContext } from '../observability/log-context.js';
import { endFailed, isTracing, SpanKind, startSpan, withSpan } from '../observability/tracing.js';
import { contextFromHeaders } from './call-context.js';
import type { HeavyCalls } from './heavy-calls.js';
import { isCall } from './inbox.js';
import { rpcSubject } from './names.js';
import { traceOf } from './trace-headers.js';

export interface RpcServerOptions {
  connection: NatsConnection;
  namespace: string;
  service: string;
  logger: Logger;
  metrics: Metrics;
  /** The heavy calls of all servers of the process. Default: the calls of this server. */
  heavyCalls?: HeavyCalls;
}

/** How a call ended: the error is that of its reply. */
export type Outcome = 'ok' | 'cancelled' | CodedError;

/** Attributes of a call's spans, for client and server (https://opentelemetry.io/docs/specs/semconv/rpc/rpc-spans/). */
export const aboutCall = ({ subject }: Operation) => ({ 'rpc.system.name': 'nats', 'rpc.method': subject });

export function answerCalls(
  { connection, namespace, service, logger, metrics }: RpcServerOptions,
  operation: Operation,
  answer: (message: Msg) => Promise<Outcome>,
): Subscription {
  const measured = async (message: Msg) => {
    const startedAt = performance.now();
    const ended = await answer(message);
    const seconds = (performance.now() - startedAt) / 1_000;
    const outcome = ended instanceof CodedError ? ended.code : ended;
    metrics.operationSeconds.record(seconds, { operation: operation.subject, outcome });
    return ended;
  };
  return connection.subscribe(rpcSubject(namespace, operation.subject), {
    queue: service,
    callback: (error, message) => {
      if (error) logger.error({ err: error, operation: operation.subject }, 'subscription failed');
      else if (!isCall(message)) {
        const { reply } = message;
        logger.warn({ operation: operation.subject, reply }, 'ignored a message that is no call');
      } else
        void inLogContext(
          () => logContextOf(message),
          () => inCallSpan(operation, message, () => measured(message)),
        );
    },
  });
}

function logContextOf({ headers }: Msg): LogContext {
  return { requestId: contextFromHeaders(headers)?.requestId, trace: traceOf(headers) };
}

/** A call outside a trace does not start one, because workers poll all the time. */
function inCallSpan(operation: Operation, message: Msg, answer: () => Promise<Outcome>): Promise<unknown> {
  const parent = isTracing() ? traceOf(message.headers) : undefined;
  if (!parent) return answer();
  const span = startSpan(operation.subject, { kind: SpanKind.SERVER, parent, attributes: aboutCall(operation) });
  return withSpan(span, async () => {
    const ended = await answer();
    if (ended instanceof CodedError) endFailed(span, ended);
    else span.end();
  });
}
