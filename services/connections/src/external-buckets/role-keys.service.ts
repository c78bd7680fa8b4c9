// The keys of assumed roles, cached: STS is called twice an hour for a role, not for every call to its bucket.
import type { AssumedRoleConfig, S3Keys } from '@kiln/storage/s3';
import { SignInCache } from './sign-in-cache.service.js';

/** Half of a session. A signed URL ends with the session of its keys, so it is valid for at least this long. */
const LEFT_MIN_MS = 30 * 60_000;

export type AssumeRole = (role: AssumedRoleConfig) => Promise<S3Keys>;

export class RoleKeys {
  private readonly cache: SignInCache<S3Keys>;

  constructor(
    private readonly assume: AssumeRole,
    now: () => number = Date.now,
  ) {
    this.cache = new SignInCache(LEFT_MIN_MS, now);
  }

  /** The S3 client calls the result whenever it needs keys. */
  of(role: AssumedRoleConfig): () => Promise<S3Keys> {
    const identity = JSON.stringify([role.roleArn, role.externalId]);
    return () => this.cache.get(identity, () => this.assume(role));
  }
}
