import type { Transaction } from '@kiln/platform';

/** One transaction at a time makes or deletes files of a connection's nodes, so that a node has one file. */
export const lockConnection = (transaction: Transaction, tenantId: string, connectionId: string): Promise<void> =>
  transaction.lock(`connection ${tenantId}${connectionId}`);
