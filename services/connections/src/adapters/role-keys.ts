// Keys of assumed roles, kept until shortly before they end: STS is asked once an hour for a role, not at every look at its bucket.
import type { AssumedRoleConfig, S3Keys } from '@kiln/storage/s3';

const ROLES_MAX = 1_000;
/** The SDK asks again for keys that have less than five minutes. */
const LEFT_MIN_MS = 10 * 60_000;

export type AssumeRole = (role: AssumedRoleConfig) => Promise<S3Keys>;

export class RoleKeys {
  private readonly kept = new Map<string, S3Keys>();

  constructor(
    private readonly assume: AssumeRole,
    private readonly now: () => number = Date.now,
  ) {}

  /** For an S3 client to call whenever it needs keys. */
  of(role: AssumedRoleConfig): () => Promise<S3Keys> {
    const identity = JSON.stringify([role.roleArn, role.externalId]);
    return async () => {
      const kept = this.kept.get(identity);
      if (kept?.expiration && kept.expiration.getTime() - this.now() > LEFT_MIN_MS) return kept;
      const keys = await this.assume(role);
      this.kept.delete(identity);
      this.kept.set(identity, keys);
      const [oldest] = this.kept.keys();
      if (this.kept.size > ROLES_MAX && oldest !== undefined) this.kept.delete(oldest);
      return keys;
    };
  }
}
