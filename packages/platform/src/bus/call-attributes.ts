import type { Operation } from '@kiln/contracts';

/** Attributes of a call's spans, for client and server (https://opentelemetry.io/docs/specs/semconv/rpc/rpc-spans/). */
export const aboutCall = ({ subject }: Operation) => ({ 'rpc.system.name': 'nats', 'rpc.method': subject });
