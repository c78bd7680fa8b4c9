// What travels with every call, in NATS headers and never in payloads.

import type { Mode } from './mode.js';

export interface CallContext {
  readonly requestId: string;
  /** The data plane (uuid) everything this call touches belongs to. */
  readonly tenantId: string;
  /** Whether that is a live or a test plane. A call without it is refused, and so is one whose tenant is of the other mode. */
  readonly mode: Mode;
  /** Who acts, as a TypeID (`key_…`) or a service name for internal work. */
  readonly principal: string;
  /** Epoch milliseconds after which nobody waits for the answer. */
  readonly deadlineAt: number;
  /** W3C trace context (https://www.w3.org/TR/trace-context/), passed on unchanged. */
  readonly traceparent?: string;
}

/**
 * On the bus: `<tenant> <mode> <principal> <deadline> <request id>`, none of which holds a space. One header, since each one costs
 * about as much as the rest of a call.
 */
export const CONTEXT_HEADER = 'Kiln-Context';
export const TRACE_HEADER = 'traceparent';

/** Present on a reply that is an error; its value is the error code and the body holds the rest. */
export const ERROR_HEADER = 'Kiln-Error';

/** No message on the bus may be larger; bulk content goes by reference to the object store. */
export const MESSAGE_BYTES_MAX = 1_000_000;
