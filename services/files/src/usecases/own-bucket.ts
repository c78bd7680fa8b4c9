// Whether the bucket is this installation's own. An empty bucket becomes its own by writing the marker.
import { listPages, StorageError, type ObjectStore } from '@kiln/storage';
import { text } from 'node:stream/consumers';
import {
  formatMarker,
  MARKER_KEY,
  obstacleIn,
  parseMarker,
  type BucketMarker,
  type BucketObstacle,
} from '../domain/bucket-marker.js';

export interface OwnMarker {
  /** As the database has it. */
  marker(): Promise<BucketMarker>;
}

export class OwnBucket {
  constructor(
    private readonly database: OwnMarker,
    private readonly objects: Pick<ObjectStore, 'get' | 'put' | 'list'>,
  ) {}

  /** Null when objects may be removed from the bucket. */
  async obstacle(): Promise<BucketObstacle | null> {
    const own = await this.database.marker();
    const found = await this.read();
    if (found !== null) return obstacleIn(parseMarker(found), own);
    if (!(await this.isEmpty())) return 'unmarked_bucket';
    await this.write(own);
    return null;
  }

  /** The database has ended a search; the bucket may say so. */
  async update(): Promise<void> {
    await this.write(await this.database.marker());
  }

  private async isEmpty(): Promise<boolean> {
    for await (const { objects } of listPages(this.objects, '', { limit: 1 })) if (objects.length > 0) return false;
    return true;
  }

  private async write(marker: BucketMarker): Promise<void> {
    await this.objects.put(MARKER_KEY, formatMarker(marker), { contentType: 'application/json' });
  }

  private async read(): Promise<string | null> {
    try {
      return await text((await this.objects.get(MARKER_KEY)).body);
    } catch (error) {
      if (error instanceof StorageError && error.code === 'not_found') return null;
      throw error;
    }
  }
}
