// Configuration of Google Cloud Storage, and its SDK. The SDK provides credentials and signatures. Requests use the JSON API directly, because
// calls of the SDK can neither be cancelled nor have a deadline.
import { Storage } from '@google-cloud/storage';
import type { HttpAgents } from '../http-agents.js';
import { StorageError } from '../storage.errors.js';
import { FederatedAuth, type FederatedAccount } from './federated-account.js';

export interface GcsStoreConfig {
  /** Base URL of the API. Default: Google. */
  endpoint?: string;
  /** Base URL written into signed URLs. Default: `endpoint`. */
  publicEndpoint?: string;
  bucket: string;
  /** The JSON key of a service account. Default: the application default credentials of the machine. */
  credentialsJson?: string;
  /** A service account without a key, in place of `credentialsJson`. */
  federated?: FederatedAccount;
  /** Agents that open the connections. */
  agents?: HttpAgents;
  /** The longest wait for a response, retries included. For bodies, the longest time without data. Default 30,000. */
  requestTimeoutMs?: number;
}

/** Required where the credentials of this machine must not be used. */
export type GcsSignIn =
  | { credentialsJson: string; federated?: undefined }
  | { credentialsJson?: undefined; federated: FederatedAccount };

export const GOOGLE_ENDPOINT = 'https://storage.googleapis.com';

export function createGcsClient(config: GcsStoreConfig): Storage {
  const { endpoint, credentialsJson, federated } = config;
  const key = credentialsJson === undefined ? undefined : serviceAccountOf(credentialsJson);
  const place = endpoint === undefined ? {} : { apiEndpoint: endpoint };
  if (federated) return new Storage({ ...place, authClient: new FederatedAuth(federated) });
  const storage = new Storage({
    ...place,
    ...(key && { credentials: key, ...(key.project_id !== undefined && { projectId: key.project_id }) }),
  });
  // A service account signs its own tokens, which avoids a request to another host.
  storage.authClient.useJWTAccessWithScope = true;
  return storage;
}

interface ServiceAccountKey {
  client_email: string;
  private_key: string;
  project_id?: string;
}

export function serviceAccountOf(json: string): ServiceAccountKey {
  let key: Partial<ServiceAccountKey>;
  try {
    key = JSON.parse(json) as Partial<ServiceAccountKey>;
  } catch {
    throw new StorageError(
      'invalid',
      'the credentials of Google Cloud Storage are not JSON: give the key file as it is',
    );
  }
  const { client_email, private_key, project_id } = key;
  if (typeof client_email !== 'string' || typeof private_key !== 'string') {
    throw new StorageError('invalid', 'the credentials of Google Cloud Storage are not a service account key');
  }
  return { client_email, private_key, ...(project_id !== undefined && { project_id }) };
}
