// The embedded index: the vectors of the tenants that search, in the memory of this process. Before each search it applies the changes in
// PostgreSQL since the last one. When memory is full, it drops the sets that were not searched for the longest time.
import { unavailable } from '@kiln/contracts';
import { beyondCall, type Logger } from '@kiln/platform';
import type { FileChange } from '../changes.domain.js';
import type { VectorFeed } from '../vector-feed.store.js';
import type { VectorHits, VectorIndex, VectorQuery, VectorSet } from '../vector-index.port.js';
import { CodeSegment } from './code-segment.domain.js';
import { FILE_BYTES, type ChangedFile } from './code-set.domain.js';
import { CodeThread } from './code-thread.service.js';

interface MemoryVectorIndexOptions {
  feed: Pick<VectorFeed, 'changes'>;
  /** The maximum memory for vectors. */
  bytesMax: number;
  logger: Pick<Logger, 'warn'>;
}

/** A copy of a set in the thread. */
interface Copy {
  /** The name of the copy in the thread. A dropped copy and its successor have different names. */
  readonly name: string;
  /** The copy has all changes up to this one. 0 when it is empty. */
  generation: number;
  bytes: number;
  isDropped: boolean;
  /** Changes are applied one after the other. */
  updating: Promise<void>;
}

/** A copy can be dropped while it is read or before it is searched. */
const TRIES = 3;

export class MemoryVectorIndex implements VectorIndex {
  /** The copies in the order in which they were last searched. */
  private readonly copies = new Map<string, Copy>();
  private readonly thread: CodeThread;
  private lastName = 0;

  constructor(private readonly options: MemoryVectorIndexOptions) {
    this.thread = new CodeThread((error) => {
      for (const copy of this.copies.values()) copy.isDropped = true;
      this.copies.clear();
      options.logger.warn({ err: error }, 'The thread that holds vectors has ended; searches read them again');
    });
  }

  async search(set: VectorSet, query: VectorQuery): Promise<VectorHits> {
    this.assertFits(set);
    for (let tries = 0; tries < TRIES; tries++) {
      const copy = this.copyOf(set);
      await this.update(copy, set);
      const answer = await this.thread.ask({ kind: 'search', set: copy.name, query });
      if (answer.kind === 'found' && answer.found) return answer.found;
    }
    throw unavailable('The vector index');
  }

  close(): Promise<void> {
    return this.thread.close();
  }

  get bytes(): number {
    return [...this.copies.values()].reduce((sum, copy) => sum + copy.bytes, 0);
  }

  private copyOf({ tenantId, model, dimensions }: VectorSet): Copy {
    const key = JSON.stringify([tenantId, model, dimensions]);
    const known = this.copies.get(key);
    const name = String(++this.lastName);
    const copy = known ?? { name, generation: 0, bytes: 0, isDropped: false, updating: Promise.resolve() };
    this.copies.delete(key);
    this.copies.set(key, copy);
    return copy;
  }

  private async update(copy: Copy, set: VectorSet): Promise<void> {
    while (copy.generation < set.generation && !copy.isDropped) {
      const before = copy.updating;
      await before;
      // Another search that waited for the same update has begun the next one.
      if (copy.updating !== before) continue;
      // Several searches wait for the same update. An update that a search did not wait for serves the next one.
      const updating = beyondCall(set.tenantId, () => this.takeOver(copy, set));
      copy.updating = updating.catch(() => {});
      await updating;
    }
  }

  private async takeOver(copy: Copy, set: VectorSet): Promise<void> {
    if (copy.generation >= set.generation) return;
    try {
      for await (const { isReset, files, generation } of this.options.feed.changes(set, copy.generation)) {
        if (copy.isDropped) break;
        if (isReset) await this.thread.ask({ kind: 'drop', set: copy.name });
        await this.apply(copy, set.dimensions, files);
        await this.makeRoom(copy);
        copy.generation = generation;
      }
    } catch (error) {
      await this.drop(copy);
      throw error;
    }
    if (copy.isDropped) await this.drop(copy);
  }

  private async apply(copy: Copy, dimensions: number, changes: readonly FileChange[]): Promise<void> {
    const files = changes.map(changedFile);
    const transfer = files.flatMap(({ codes }) => codes.map(({ buffer }) => buffer as ArrayBuffer));
    const answer = await this.thread.ask({ kind: 'apply', set: copy.name, dimensions, files }, transfer);
    if (answer.kind === 'applied') copy.bytes = answer.bytes;
  }

  private assertFits({ files, vectors, dimensions, tenantId, model }: VectorSet): void {
    const bytes = CodeSegment.bytesOf(vectors, dimensions) + files * FILE_BYTES;
    const { bytesMax, logger } = this.options;
    if (bytes <= bytesMax) return;
    const hint = 'raise KILN_VECTOR_MEMORY_BYTES of the search service, or install pgvector';
    logger.warn({ tenantId, model, vectors, bytes, bytesMax }, `Vectors do not fit in memory: ${hint}`);
    throw unavailable('The vector index');
  }

  /** Drops the copies that were not searched for the longest time, except this one. */
  private async makeRoom(kept: Copy): Promise<void> {
    for (const copy of this.copies.values()) {
      if (this.bytes <= this.options.bytesMax) return;
      if (copy !== kept) await this.drop(copy);
    }
  }

  private async drop(copy: Copy): Promise<void> {
    copy.isDropped = true;
    for (const [key, other] of this.copies) if (other === copy) this.copies.delete(key);
    await this.thread.ask({ kind: 'drop', set: copy.name });
  }
}

/** Copies the codes to separate buffers, which can be transferred. */
const changedFile = ({ fileId, jobNumber, fence, facets, parts }: FileChange): ChangedFile => ({
  fileId,
  jobNumber,
  fence,
  facets,
  codes: parts.map(({ codes }) => Uint8Array.from(codes)),
});
