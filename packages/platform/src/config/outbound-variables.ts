// Requests to addresses that callers choose. Shared by the processes that make them; see packages/outbound.
import { z } from 'zod';

export const outboundVariables = {
  /** Hosts and networks that may be reached although they are private or use plain http. */
  KILN_OUTBOUND_ALLOW: z.string().default(''),
  /** A proxy for all of these requests, `http://host:port`. It gets CONNECT requests for addresses that this process has checked. */
  KILN_OUTBOUND_PROXY: z.url({ protocol: /^https?$/ }).optional(),
};
