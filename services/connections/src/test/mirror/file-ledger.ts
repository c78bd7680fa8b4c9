// The files of nodes, as the events of syncs make them: selected nodes get files, files of moved nodes get their path, and files of removed
// nodes are deleted.
import { expect } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import type { SyncsHarness } from '../syncs-harness.js';
import type { History } from './histories.js';
import type { Nodes } from './mirrored-nodes.js';

type Policies = Pick<History, 'onDelete' | 'onChange' | 'autoProcess'>;

interface Event {
  type: string;
  node_ids: string[] | null;
  nodes: { node_id: string; path: string }[] | null;
}

interface File {
  path: string;
  /** Of the object from which it was processed last. */
  version: string;
}

interface Synced {
  nodes: Nodes;
  /** Whether objects changed during the sync. Then a node may be selected twice, with different versions. */
  hasChanged: boolean;
}

export class FileLedger {
  private readonly files = new Map<string, File>();
  private before: Nodes = new Map();

  constructor(private readonly policies: Policies) {}

  /** Applies the events of one sync and compares the files with the nodes. */
  accept(events: readonly Event[], { nodes, hasChanged }: Synced): void {
    const { onDelete, autoProcess } = this.policies;
    const present = filesOf(nodes);
    const idsOf = (type: string) =>
      events.filter((event) => event.type === type).flatMap(({ node_ids: ids }) => ids ?? []);
    const [selected, removed] = [idsOf('nodes.selected'), idsOf('nodes.removed')];
    const gone = [...filesOf(this.before).keys()].filter((id) => !present.has(id));
    expect(removed.filter((id) => present.has(id))).toStrictEqual([]);
    expect(new Set(removed).size).toBe(removed.length);
    if (onDelete === 'keep') expect(removed).toStrictEqual([]);
    else expect(removed).toStrictEqual(expect.arrayContaining(gone));
    if (!hasChanged) expect(selected.toSorted()).toStrictEqual(this.dueIn(present));

    for (const { node_id: id, path } of events.flatMap((event) => event.nodes ?? [])) {
      const file = this.files.get(id);
      if (file) file.path = path;
    }
    for (const id of selected) this.process(id, present);
    for (const id of removed) this.files.delete(id);
    // Without automatic processing the owner processes all nodes.
    if (!autoProcess) for (const id of present.keys()) this.process(id, present);
    this.assertEqual(present);
    this.before = nodes;
  }

  /** The nodes that must be selected. */
  private dueIn(present: Map<string, File>): string[] {
    const { autoProcess, onChange } = this.policies;
    if (!autoProcess) return [];
    const isDue = ([id, { version }]: [string, File]) => {
      const file = this.files.get(id);
      return file === undefined || (onChange === 'reprocess' && file.version !== version);
    };
    return [...present]
      .filter(isDue)
      .map(([id]) => id)
      .toSorted();
  }

  private process(id: string, present: Map<string, File>): void {
    const file = present.get(id);
    if (file) this.files.set(id, { ...file });
  }

  private assertEqual(present: Map<string, File>): void {
    const { onDelete, onChange } = this.policies;
    const seen = (files: Map<string, File>) =>
      new Map(
        [...files].map(([id, { path, version }]) => [id, [path, ...(onChange === 'reprocess' ? [version] : [])]]),
      );
    const files = new Map([...this.files].filter(([id]) => onDelete === 'delete' || present.has(id)));
    expect(seen(files)).toStrictEqual(seen(present));
  }
}

/** By the id in the API. */
function filesOf(nodes: Nodes): Map<string, File> {
  const files = [...nodes.values()].filter((node) => node.is_file);
  return new Map(
    files.map(({ id, path, etag, size_bytes }) => [encodeId('node', id), { path, version: `${etag} ${size_bytes}` }]),
  );
}

export const eventsOf = ({ sql }: Pick<SyncsHarness, 'sql'>): Promise<Event[]> =>
  sql<Event>(
    `select type, envelope::jsonb -> 'data' -> 'node_ids' as node_ids, envelope::jsonb -> 'data' -> 'nodes' as nodes
     from outbox order by sequence`,
  );
