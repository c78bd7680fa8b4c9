// The access tokens of a service account that Google has issued. Other servers of these tests accept them.
import { randomBytes } from 'node:crypto';

export class IssuedTokens {
  private readonly expirations = new Map<string, number>();

  issue(seconds: number): { token: string; expiration: Date } {
    const token = `ya29.${randomBytes(24).toString('base64url')}`;
    const expiration = new Date(Date.now() + seconds * 1_000);
    this.expirations.set(token, expiration.getTime());
    return { token, expiration };
  }

  isValid(token: string): boolean {
    return (this.expirations.get(token) ?? 0) > Date.now();
  }
}
