// Reaches objects in external buckets through the connections service, which alone has the credentials.
import {
  CodedError,
  connectionsOperations,
  encodeId,
  type CallContext,
  type ConnectionsOutput,
  type SourceFaultCode,
} from '@kiln/contracts';
import { RpcClient } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { BucketPlace } from './connection-file.store.js';
import { sourceFaultOf } from './source-fault.domain.js';

type OpenedObject = NonNullable<ConnectionsOutput<'openObject'>['object']>;

type Stats = ConnectionsOutput<'statObjects'>['objects'];

export interface NamedPlace extends BucketPlace {
  filename: string;
}

/** The bytes of a file, or the reason why they cannot be read, as a sentence for people, with the code of the job's error. */
export type Opened = { object: OpenedObject } | { fault: string; code: SourceFaultCode };

const CONNECTION_GONE = 'The connection to the bucket of this file has been deleted.';

@Injectable()
export class BucketObjects {
  constructor(@Inject(RpcClient) private readonly rpc: Pick<RpcClient, 'call'>) {}

  /** Null if there is no such object. Throws BUCKET_UNAVAILABLE when the bucket does not answer. */
  async open(place: NamedPlace, claimedType: string | null, context: CallContext): Promise<Opened | null> {
    const { connection_id, path, filename } = place;
    const input = { connection_id: encodeId('connection', connection_id), path, filename, claimed_type: claimedType };
    try {
      const { object, fault } = await this.rpc.call(connectionsOperations.openObject, input, context);
      if (fault) return { fault: fault.message, code: sourceFaultOf(fault.code) };
      return object === null ? null : { object };
    } catch (error) {
      return { fault: faultIn(error), code: 'provider_unauthorized' };
    }
  }

  /** The present key of a node. Null if there is no such node. */
  async keyOf({ node_id }: BucketPlace, context: CallContext): Promise<string | null> {
    try {
      return (await this.rpc.call(connectionsOperations.getNode, { id: encodeId('node', node_id) }, context)).path;
    } catch (error) {
      if (error instanceof CodedError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }

  /**
   * Returns a URL for people. Throws CONFLICT with the reason when the bytes cannot be read, and BUCKET_UNAVAILABLE when the
   * bucket does not answer.
   */
  async sign(
    { connection_id, path, filename }: NamedPlace,
    context: CallContext,
  ): Promise<{ url: string; expires_in: number }> {
    const input = { connection_id: encodeId('connection', connection_id), path, filename };
    try {
      return await this.rpc.call(connectionsOperations.signObject, input, context);
    } catch (error) {
      throw new CodedError('CONFLICT', faultIn(error));
    }
  }

  /** Returns size and ETag of the current objects, without objects that are missing or whose connection cannot be used. */
  async heads(
    places: readonly BucketPlace[],
    context: CallContext,
  ): Promise<Map<string, { etag: string; sizeBytes: number }>> {
    const found = new Map<string, { etag: string; sizeBytes: number }>();
    for (const connectionId of new Set(places.map((place) => place.connection_id))) {
      const group = places.filter((place) => place.connection_id === connectionId);
      const objects = await this.stat(connectionId, group, context);
      for (const [index, { file_id }] of group.entries()) {
        const object = objects[index];
        if (object) found.set(file_id, { etag: object.etag, sizeBytes: object.size_bytes });
      }
    }
    return found;
  }

  private async stat(connectionId: string, places: readonly BucketPlace[], context: CallContext): Promise<Stats> {
    const input = { connection_id: encodeId('connection', connectionId), paths: places.map(({ path }) => path) };
    try {
      return (await this.rpc.call(connectionsOperations.statObjects, input, context)).objects;
    } catch (error) {
      faultIn(error);
      return [];
    }
  }
}

/** Returns the reason why the bytes cannot be read. Rethrows other errors, which a retry may cure. */
function faultIn(error: unknown): string {
  if (error instanceof CodedError && error.code === 'NOT_FOUND') return CONNECTION_GONE;
  if (error instanceof CodedError && error.code === 'CONFLICT') return error.message;
  throw error;
}
