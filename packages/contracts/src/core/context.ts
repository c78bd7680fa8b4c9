// The context of a call. It is sent in NATS headers, never in payloads.

import { modeOf, type Mode } from './mode.js';
import type { TraceContext } from './trace.js';

export interface CallContext extends TraceContext {
  readonly requestId: string;
  /** The tenant (uuid) that owns everything this call touches. */
  readonly tenantId: string;
  /** The mode of the tenant. A call without it, or with the mode of another tenant, is rejected. */
  readonly mode: Mode;
  /** The caller: a TypeID (`key_…`), or a service name for internal work. */
  readonly principal: string;
  /** The deadline in epoch milliseconds, by the clock of this process. The bus carries what remains. */
  readonly deadlineAt: number;
}

/** The context of a call that a service makes on its own, without a caller who waits. */
export const internalContext = (
  principal: string,
  { tenantId, requestId, timeoutMs }: { tenantId: string; requestId: string; timeoutMs: number },
): CallContext => ({ requestId, tenantId, mode: modeOf(tenantId), principal, deadlineAt: Date.now() + timeoutMs });

/**
 * On the bus: `<tenant> <mode> <principal> <milliseconds left> <request id>`; none contains a space. One header, because each costs
 * about as much as the rest of a call.
 */
export const CONTEXT_HEADER = 'Kiln-Context';

/** Present on a reply that is an error; its value is the error code and the body holds the rest. */
export const ERROR_HEADER = 'Kiln-Error';

/** The message size limit of the bus. Bulk content is passed by reference to the object store. */
export const MESSAGE_BYTES_MAX = 1_000_000;
