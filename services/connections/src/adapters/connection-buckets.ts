// The bucket of a connection, opened with the credentials that the connection keeps.
import type { BucketCredentials } from '@kiln/contracts';
import { SealBrokenError, Sealer } from '@kiln/platform';
import { BucketError } from '../domain/bucket-error.js';
import type { OthersBucket } from '../domain/bucket.port.js';
import type { ConnectionRow } from '../store/connection.rows.js';
import type { SealedConnection } from '../store/connection.store.js';
import { openCredentials } from './bucket-credentials.js';
import { BucketOpener, type OpenOptions } from './bucket-opener.js';

export class ConnectionBuckets {
  constructor(
    private readonly opener: BucketOpener,
    private readonly sealer: Sealer,
  ) {}

  /** Makes no request. Throws BucketError. Close the bucket when it is no longer needed. */
  async open(row: ConnectionRow, options: OpenOptions): Promise<OthersBucket> {
    const { credentials } = row;
    if (credentials === null) {
      const message = 'The connection has no credentials. Give it some by PATCH /v1/connections/:id.';
      throw new BucketError('credentials_missing', message);
    }
    return this.opener.open(row, this.opened({ ...row, credentials }), options);
  }

  private opened(row: SealedConnection): BucketCredentials {
    try {
      return openCredentials(this.sealer, row);
    } catch (error) {
      if (!(error instanceof SealBrokenError)) throw error;
      const message =
        'Kiln can not open the credentials of this connection, because its operator has changed the encryption key. Give it ' +
        'credentials again by PATCH /v1/connections/:id, or ask the operator.';
      throw new BucketError('not_configured', message, { cause: error });
    }
  }

  /** Closes it whatever `work` does. */
  async use<Result>(
    row: ConnectionRow,
    options: OpenOptions,
    work: (bucket: OthersBucket) => Promise<Result>,
  ): Promise<Result> {
    const bucket = await this.open(row, options);
    try {
      return await work(bucket);
    } finally {
      bucket.close();
    }
  }
}
