// A TTL cache of the keys of assumed roles: STS is called twice an hour for a role, not for every call to its bucket.
import type { AssumedRoleConfig, S3Keys } from '@kiln/storage/s3';

const ROLES_MAX = 1_000;
/** Half of a session. A signed URL ends with the session of its keys, so it is valid for at least this long. */
const LEFT_MIN_MS = 30 * 60_000;

export type AssumeRole = (role: AssumedRoleConfig) => Promise<S3Keys>;

export class RoleKeys {
  private readonly cached = new Map<string, S3Keys>();

  constructor(
    private readonly assume: AssumeRole,
    private readonly now: () => number = Date.now,
  ) {}

  /** The S3 client calls the result whenever it needs keys. */
  of(role: AssumedRoleConfig): () => Promise<S3Keys> {
    const identity = JSON.stringify([role.roleArn, role.externalId]);
    return async () => {
      const cached = this.cached.get(identity);
      if (cached?.expiration && cached.expiration.getTime() - this.now() > LEFT_MIN_MS) return cached;
      const keys = await this.assume(role);
      this.cached.delete(identity);
      this.cached.set(identity, keys);
      const [oldest] = this.cached.keys();
      if (this.cached.size > ROLES_MAX && oldest !== undefined) this.cached.delete(oldest);
      return keys;
    };
  }
}
