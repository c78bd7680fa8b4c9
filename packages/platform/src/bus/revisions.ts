// A service of an earlier release ignores options that were added to a contract later. Therefore a call states the revision of the contract that its
// input needs, and the reply states the revision of the service.
import { unavailable, type Operation } from '@kiln/contracts';
import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';

const REVISION_HEADER = 'Kiln-Revision';

const revisionIn = ({ headers: received }: Pick<Msg, 'headers'>): number => Number(received?.get(REVISION_HEADER) || 1);

/** Adds the needed revision to the headers of a call, and returns it. Calls without new options have no header. */
export function requireRevision({ revisionOf }: Operation, input: unknown, callHeaders: MsgHdrs): number {
  const needed = revisionOf?.(input) ?? 1;
  if (needed > 1) callHeaders.set(REVISION_HEADER, String(needed));
  return needed;
}

/** The headers of the reply to a call that needs a revision. */
export function revisionHeaders({ revision = 1 }: Operation, call: Msg): MsgHdrs | undefined {
  if (revisionIn(call) === 1) return undefined;
  const replyHeaders = headers();
  replyHeaders.set(REVISION_HEADER, String(revision));
  return replyHeaders;
}

/** Throws UNAVAILABLE when a service of an earlier release has replied. Another process may be of this release. */
export function assertRevision(reply: Pick<Msg, 'headers'>, needed: number, service: string): void {
  if (revisionIn(reply) >= needed) return;
  throw unavailable(`This option of the ${service} service`, new Error('a process of an earlier release has answered'));
}
