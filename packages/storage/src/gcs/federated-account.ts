// A service account without a key: the SDK gets its signatures from Google, and requests get a token.
import { GoogleAuth, PassThroughClient } from 'google-auth-library';
import { signBlob, type GoogleSignInOptions, type GoogleToken } from './google-tokens.js';

export interface FederatedAccount {
  /** The address of the service account. */
  email: string;
  /** Called for every request, so the caller caches the token. */
  token: (signal?: AbortSignal) => Promise<GoogleToken>;
  signIn: GoogleSignInOptions;
}

export class FederatedAuth extends GoogleAuth<PassThroughClient> {
  #failure: Error | undefined;

  constructor(private readonly account: FederatedAccount) {
    super({ authClient: new PassThroughClient() });
  }

  /** The SDK calls it to sign a URL. */
  override async sign(data: string): Promise<string> {
    const { email, token, signIn } = this.account;
    try {
      return await signBlob(email, (await token()).value, Buffer.from(data), signIn);
    } catch (error) {
      this.#failure = error instanceof Error ? error : undefined;
      throw error;
    }
  }

  override async getCredentials(): Promise<{ client_email: string }> {
    return { client_email: this.account.email };
  }

  /** The error of `sign` with the text of `thrown`. The SDK keeps only the text. */
  failureOf(thrown: unknown): unknown {
    return thrown instanceof Error && thrown.message === this.#failure?.message ? this.#failure : thrown;
  }
}
