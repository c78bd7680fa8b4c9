// Checks whether the bucket belongs to this installation. An empty bucket is claimed by writing the marker.
import { listPages, StorageError, type ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { text } from 'node:stream/consumers';
import { OBJECT_STORE } from '../config.js';
import {
  formatMarker,
  MARKER_KEY,
  obstacleIn,
  parseMarker,
  type BucketMarker,
  type BucketObstacle,
} from './bucket-marker.domain.js';
import { OrphanSearchStore } from './orphan-search.store.js';

export interface OwnMarker {
  /** The marker according to the database. */
  marker(): Promise<BucketMarker>;
}

@Injectable()
export class OwnBucket {
  constructor(
    @Inject(OrphanSearchStore) private readonly database: OwnMarker,
    @Inject(OBJECT_STORE) private readonly objects: Pick<ObjectStore, 'get' | 'put' | 'list'>,
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

  /** Writes the marker after a search has finished in the database. */
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
