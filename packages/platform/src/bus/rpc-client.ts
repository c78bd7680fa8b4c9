// Calls an operation of another service. A call ends by its deadline with a result, a coded error, or UNAVAILABLE.
import {
  CodedError,
  unavailable,
  type CallContext,
  type Operation,
  type OperationItem,
  type OperationOutput,
  type StreamingOperation,
} from '@kiln/contracts';
import type { z } from 'zod';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { inSpan, isTraced, SpanKind } from '../observability/tracing.js';
import { aboutCall } from './answer-calls.js';
import type { Circuits } from './circuit.js';
import { rpcSubject } from './names.js';
import { prepareCall, type PreparedCall } from './prepare-call.js';
import { errorOf } from './replies.js';
import { Requester } from './requester.js';
import { assertRevision } from './revisions.js';
import { SendQueue } from './send-queue.js';
import { StreamingClient } from './streaming-client.js';

export class RpcClient {
  private readonly sends = new SendQueue();
  private readonly requester: Requester;
  private readonly streaming: StreamingClient;

  /** With `circuits`, calls to an unresponsive service are rejected, and one tenant cannot use up all open calls. */
  constructor(
    connection: NatsConnection,
    private readonly namespace: string,
    private readonly circuits?: Pick<Circuits, 'run'>,
  ) {
    this.requester = new Requester(connection);
    this.streaming = new StreamingClient(connection, namespace, circuits);
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

  /** Yields the items of a streaming operation as they come, and returns its output. See `StreamingClient.stream`. */
  stream<Op extends StreamingOperation>(
    operation: Op,
    input: z.input<Op['input']>,
    context: CallContext,
    signal: AbortSignal,
  ): AsyncGenerator<OperationItem<Op>, OperationOutput<Op>, undefined> {
    return this.streaming.stream(operation, input, context, signal);
  }

  private async ask<Op extends Operation>(
    operation: Op,
    input: z.input<Op['input']>,
    context: CallContext,
  ): Promise<string> {
    const { service, payload, revision, ...options } = prepareCall(operation, input, context);
    const ask = async () => readReply(await this.request(service, operation, payload, options), revision, service);
    return this.circuits ? this.circuits.run(service, context.tenantId, ask) : ask();
  }

  private async request(
    service: string,
    operation: Operation,
    payload: string,
    options: Pick<PreparedCall, 'timeoutMs' | 'headers'>,
  ): Promise<Msg> {
    const subject = rpcSubject(this.namespace, operation.subject);
    try {
      return await new Promise<Msg>((resolve, reject) => {
        this.sends.add(() => this.requester.request(subject, payload, { service, ...options }).then(resolve, reject));
      });
    } catch (error) {
      if (error instanceof CodedError) throw error;
      // For the caller, no responders, a timeout and a closed connection mean the same: retry.
      throw unavailable(`The ${service} service`, error);
    }
  }
}

function readReply(reply: Msg, revision: number, service: string): string {
  const error = errorOf(reply);
  if (error) throw error;
  assertRevision(reply, revision, service);
  return reply.string();
}
