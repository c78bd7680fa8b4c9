// The files of nodes whose objects have another key: their bytes are read from there, and they are renamed with the object, unless a caller has
// renamed them.
import { appendEvents, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { fileUpdated } from '../files/file.events.js';
import { ConnectionFileStore } from '../sources/connection-file.store.js';
import { FileUpdateStore } from '../updates/file-update.store.js';
import { lockConnection } from './lock-connection.statement.js';
import { filenameOf } from './node-filename.domain.js';

export interface MovedNodes {
  tenantId: string;
  connectionId: string;
  movedAt: Date;
  nodes: readonly { nodeId: string; path: string; name: string }[];
}

@Injectable()
export class MoveNodeFiles {
  constructor(
    private readonly links: ConnectionFileStore,
    private readonly updates: FileUpdateStore,
  ) {}

  /** Idempotent. */
  async executeWithin(transaction: Transaction, { nodes, ...moved }: MovedNodes): Promise<void> {
    const { tenantId, connectionId } = moved;
    await lockConnection(transaction, tenantId, connectionId);
    const names = new Map(nodes.map(({ nodeId, name }) => [nodeId, name]));
    const files = await this.links.move(transaction, moved, nodes);
    for (const { file_id: fileId, node_id: nodeId, former_path: path } of files.toSorted(byFile)) {
      const former = path.slice(path.lastIndexOf('/') + 1);
      await this.rename(transaction, tenantId, fileId, { former, name: names.get(nodeId) ?? former });
    }
  }

  private async rename(
    transaction: Transaction,
    tenantId: string,
    fileId: string,
    { former, name }: { former: string; name: string },
  ): Promise<void> {
    const filename = filenameOf(name);
    if (filename === filenameOf(former)) return;
    const file = await this.updates.lock(transaction, tenantId, fileId);
    if (file?.filename !== filenameOf(former)) return;
    const renamed = await this.updates.write(transaction, { ...file, filename }, { isSpaceHeld: false });
    if (renamed) await appendEvents(transaction, [fileUpdated(renamed)]);
  }
}

/** Rows are locked in one order, so that transactions do not wait for each other in a circle. */
const byFile = (one: { file_id: string }, other: { file_id: string }): number => (one.file_id < other.file_id ? -1 : 1);
