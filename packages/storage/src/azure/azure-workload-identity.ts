// Tokens for the identity of this pod. The token of its Kubernetes service account takes the place of a client secret.
// https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow#third-case-access-token-request-with-a-federated-credential
import type { AccessToken } from '@azure/core-auth';
import { readFile } from 'node:fs/promises';
import { StorageError } from '../storage.errors.js';
import { CachedToken } from './azure-token-cache.js';
import { exchange, SIGN_IN_ACTION, type Directory } from './azure-token-exchange.js';

export interface WorkloadIdentityConfig extends Directory {
  tokenFile: string;
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const ADVICE =
  'Check AZURE_CLIENT_ID, AZURE_TENANT_ID, and the federated credential of the identity for the token in AZURE_FEDERATED_TOKEN_FILE.';

export class WorkloadIdentityToken extends CachedToken {
  constructor(private readonly config: WorkloadIdentityConfig) {
    super();
  }

  protected async newToken(scopes: string | string[]): Promise<AccessToken> {
    const assertion = await this.assertion();
    const proof = { client_assertion_type: ASSERTION_TYPE, client_assertion: assertion };
    return exchange(this.config, proof, scopes, ADVICE);
  }

  /** Reads the file each time, because Kubernetes replaces the token about once an hour. Throws `unavailable`, because the file may come later. */
  private async assertion(): Promise<string> {
    const unusable = (problem: string, cause?: unknown) =>
      new StorageError('unavailable', `${SIGN_IN_ACTION}: the file in AZURE_FEDERATED_TOKEN_FILE ${problem}`, {
        cause,
        retryable: true,
      });
    const text = await readFile(this.config.tokenFile, 'utf8').catch((error: unknown) => {
      throw unusable(`cannot be read (${(error as NodeJS.ErrnoException).code})`, error);
    });
    if (text.trim() === '') throw unusable('is empty');
    return text.trim();
  }
}
