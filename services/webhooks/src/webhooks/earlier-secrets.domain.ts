// The secrets of a webhook that rotations have replaced, and that still sign because their grace periods last.

export interface EarlierSecret {
  /** Sealed. */
  secret: Buffer;
  expiresAt: Date;
}

/** The columns of a webhook. */
interface Columns {
  previous_secret: Buffer | null;
  previous_secret_expires_at: Date | null;
  earlier_secrets: readonly Buffer[];
  earlier_secrets_expire_at: readonly Date[];
}

/** Oldest first. The last one is the secret before the last rotation. */
export function earlierSecrets(webhook: Columns, now: number): EarlierSecret[] {
  const { earlier_secrets, earlier_secrets_expire_at, previous_secret, previous_secret_expires_at } = webhook;
  const secrets = [...earlier_secrets, previous_secret];
  const ends = [...earlier_secrets_expire_at, previous_secret_expires_at];
  return secrets.flatMap((secret, index) => {
    const expiresAt = ends[index];
    return secret && expiresAt && expiresAt.getTime() > now ? [{ secret, expiresAt }] : [];
  });
}
