// Calls streaming operations of other services. A stream ends by its deadline with its output, a coded error, or UNAVAILABLE. It ends within
// seconds when the service dies, and the service's work ends within seconds when the caller leaves or dies.
import type { CallContext, OperationItem, OperationOutput, StreamingOperation } from '@kiln/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { z } from 'zod';
import type { Circuits } from './circuit.js';
import { IncomingStream } from './incoming-stream.js';
import { rpcSubject } from './names.js';
import { prepareCall } from './prepare-call.js';
import { Requester } from './requester.js';
import { SharedPlaces, takePlaces } from './shared-places.js';

/** Streams that a process reads at a time. Tenants share them. */
const STREAMS_MAX = 512;

export class StreamingClient {
  private readonly requester: Requester;
  private readonly places = new SharedPlaces(STREAMS_MAX);

  /** With `circuits`, calls to an unresponsive service are rejected. */
  constructor(
    private readonly connection: NatsConnection,
    private readonly namespace: string,
    private readonly circuits?: Pick<Circuits, 'run'>,
    private readonly heartbeatMs?: number,
  ) {
    this.requester = new Requester(connection);
  }

  /**
   * Yields the items as they come, and returns the output. A reader that stops, or aborts the signal, cancels the work of the service.
   * Throws the service's CodedError; UNAVAILABLE when the deadline passed, the service died or a message was lost; or the signal's reason.
   */
  async *stream<Op extends StreamingOperation>(
    operation: Op,
    input: z.input<Op['input']>,
    context: CallContext,
    signal: AbortSignal,
  ): AsyncGenerator<OperationItem<Op>, OperationOutput<Op>, undefined> {
    signal.throwIfAborted();
    const call = prepareCall(operation, input, context);
    takePlaces(this.places, call.service, context.tenantId);
    const stream = new IncomingStream(this.connection, this.requester, call, signal, this.heartbeatMs);
    const open = () => stream.open(rpcSubject(this.namespace, operation.subject));
    try {
      await (this.circuits ? this.circuits.run(call.service, context.tenantId, open) : open());
      for (;;) {
        const { isLast, value } = await stream.next();
        if (isLast) return value as OperationOutput<Op>;
        yield value as OperationItem<Op>;
      }
    } finally {
      stream.close();
      this.places.release(context.tenantId);
    }
  }
}
