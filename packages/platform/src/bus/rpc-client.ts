// Calls an operation of another service. A call ends by its deadline with a result, a coded error, or UNAVAILABLE.
import {
  CodedError,
  ERROR_HEADER,
  errorKinds,
  MESSAGE_BYTES_MAX,
  unavailable,
  type CallContext,
  type ErrorCode,
  type Operation,
  type OperationOutput,
} from '@kiln/contracts';
import type { z } from 'zod';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { inSpan, isTraced, SpanKind } from '../observability/tracing.js';
import { contextToHeaders } from './call-context.js';
import type { Circuits } from './circuit.js';
import { rpcSubject } from './names.js';
import { aboutCall } from './call-attributes.js';
import { Requester } from './requester.js';
import { SendQueue } from './send-queue.js';

interface ErrorReply {
  message: string;
  retryAfterSeconds?: number;
}

export class RpcClient {
  private readonly sends = new SendQueue();
  private readonly requester: Requester;

  /** With `circuits`, calls to an unresponsive service are rejected, and one tenant cannot use up all open calls. */
  constructor(
    connection: NatsConnection,
    private readonly namespace: string,
    private readonly circuits?: Pick<Circuits, 'run'>,
  ) {
    this.requester = new Requester(connection);
  }

  /** Throws a CodedError: the service's own, or UNAVAILABLE if no reply came within the deadline. */
  async call<Op extends Operation>(
    operation: Op,
    input: z.input<Op['input']>,
    context: CallContext,
  ): Promise<OperationOutput<Op>> {
    return JSON.parse(await this.callForText(operation, input, context)) as OperationOutput<Op>;
  }

  /** Like `call`, but returns the JSON text of the service, to pass it on unchanged. */
  callForText<Op extends Operation>(operation: Op, input: z.input<Op['input']>, context: CallContext): Promise<string> {
    if (!isTraced()) return this.ask(operation, input, context);
    const about = { kind: SpanKind.CLIENT, attributes: aboutCall(operation) };
    return inSpan(operation.subject, about, () => this.ask(operation, input, context));
  }

  private async ask<Op extends Operation>(
    operation: Op,
    input: z.input<Op['input']>,
    context: CallContext,
  ): Promise<string> {
    const timeoutMs = Math.min(operation.timeoutMs, context.deadlineAt - Date.now());
    const service = operation.subject.split('.')[0] ?? operation.subject;
    if (timeoutMs <= 0) throw unavailable(`The ${service} service`, new Error('the deadline has passed'));
    const payload = JSON.stringify(input);
    if (Buffer.byteLength(payload) > MESSAGE_BYTES_MAX) {
      throw new CodedError('PAYLOAD_TOO_LARGE', 'The request is too large. Send less in one call.');
    }
    const headers = contextToHeaders({ ...context, deadlineAt: Date.now() + timeoutMs });
    const ask = async () => readReply(await this.request(service, operation, payload, { timeoutMs, headers }));
    return this.circuits ? this.circuits.run(service, context.tenantId, ask) : ask();
  }

  private async request(
    service: string,
    operation: Operation,
    payload: string,
    options: { timeoutMs: number; headers: ReturnType<typeof contextToHeaders> },
  ): Promise<Msg> {
    const subject = rpcSubject(this.namespace, operation.subject);
    try {
      return await new Promise<Msg>((resolve, reject) => {
        this.sends.add(() => this.requester.request(subject, payload, options).then(resolve, reject));
      });
    } catch (error) {
      // For the caller, no responders, a timeout and a closed connection mean the same: retry.
      throw unavailable(`The ${service} service`, error);
    }
  }
}

function readReply(reply: Msg): string {
  const code = reply.headers?.get(ERROR_HEADER);
  if (!code) return reply.string();
  const body = reply.json<ErrorReply>();
  const known: ErrorCode = code in errorKinds ? (code as ErrorCode) : 'INTERNAL_ERROR';
  throw new CodedError(known, body.message, { retryAfterSeconds: body.retryAfterSeconds });
}
