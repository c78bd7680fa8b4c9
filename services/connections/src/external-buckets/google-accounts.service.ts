// Service accounts of Google to which Kiln signs in with a token of its own, as the organization of the connection. The tokens of Google are cached.
import type { FederatedCredentials } from '@kiln/contracts';
import type { NodeAgents } from '@kiln/outbound';
import type { FederatedAccount, GoogleSignInEndpoints, GoogleToken } from '@kiln/storage/gcs';
import { BucketError } from './domain/bucket-error.js';
import { serviceAccountOf } from './domain/service-account.js';
import type { OidcIssuer } from './oidc-issuer.service.js';
import { SignInCache } from './sign-in-cache.service.js';

/** A token is renewed before a request that takes long could outlive it. */
const LEFT_MIN_MS = 10 * 60_000;

interface SignInOptions {
  agents: NodeAgents;
  requestTimeoutMs: number;
  /** Each token is added, so that no error contains it. */
  secrets: string[];
}

export class GoogleAccounts {
  private readonly cache: SignInCache<GoogleToken>;

  constructor(
    private readonly issuer: OidcIssuer | null,
    private readonly endpoints: GoogleSignInEndpoints = {},
    now: () => number = Date.now,
  ) {
    this.cache = new SignInCache(LEFT_MIN_MS, now);
  }

  /** The account, and the project whose buckets are listed. */
  signIn(credentials: FederatedCredentials, options: SignInOptions): { federated: FederatedAccount; project?: string } {
    const { project } = serviceAccountOf(credentials);
    return { federated: this.of(credentials, options), ...(project !== undefined && { project }) };
  }

  /** Makes no request. Throws BucketError when the operator has removed the issuer. */
  of(credentials: FederatedCredentials, { secrets, ...connect }: SignInOptions): FederatedAccount {
    const { issuer, endpoints, cache } = this;
    if (issuer === null) {
      const message =
        'The operator of this installation of Kiln has configured no OpenID Connect issuer, so it cannot sign in by workload identity ' +
        'federation. Connect with the JSON key of a service account, or ask the operator.';
      throw new BucketError('not_configured', message);
    }
    const { audience, subject } = credentials;
    const { email } = serviceAccountOf(credentials);
    const signIn = { ...connect, endpoints };
    const subjectToken = () => issuer.token(subject, audience);
    return {
      email,
      signIn,
      token: async (signal) => {
        const token = await cache.get(JSON.stringify([audience, email, subject]), async () => {
          const { accountToken } = await import('@kiln/storage/gcs');
          return accountToken({ audience, account: email, subjectToken }, { ...signIn, signal });
        });
        if (!secrets.includes(token.value)) secrets.push(token.value);
        return token;
      },
    };
  }
}
