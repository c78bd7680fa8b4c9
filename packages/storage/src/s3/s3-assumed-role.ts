// Temporary keys of a role in a customer's account. The role trusts the AWS identity of this installation, with an external id: https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_common-scenarios_third-party.html
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { REQUEST_TIMEOUT_DEFAULT_MS, withDeadline } from '../deadline.js';
import type { HttpAgents } from '../http-agents.js';
import { NoOwnCredentialsError, StorageError } from '../storage.errors.js';
import type { S3Keys } from './s3-client.js';
import { toStorageError } from './s3-errors.js';

export interface AssumedRoleConfig {
  roleArn: string;
  externalId: string;
  /** Shown in the logs of the role's account. */
  sessionName: string;
  /** The region of the STS endpoint. */
  region: string;
  agents?: HttpAgents;
  requestTimeoutMs?: number;
}

const SESSION_SECONDS = 3_600;

/** Each call requests keys from STS. Clients of the SDK cache them until shortly before they expire. */
export function assumedRole(config: AssumedRoleConfig): () => Promise<S3Keys> {
  const { agents, requestTimeoutMs: timeoutMs = REQUEST_TIMEOUT_DEFAULT_MS } = config;
  const action = `assuming the role ${config.roleArn}`;
  return async () => {
    const client = new STSClient({
      region: config.region,
      maxAttempts: 3,
      ...(agents && { requestHandler: { httpAgent: agents.http, httpsAgent: agents.https } }),
    });
    try {
      await ownCredentials(client, action, timeoutMs);
      const command = new AssumeRoleCommand({
        RoleArn: config.roleArn,
        ExternalId: config.externalId,
        RoleSessionName: config.sessionName,
        DurationSeconds: SESSION_SECONDS,
      });
      const send = (abortSignal: AbortSignal) => client.send(command, { abortSignal });
      const { Credentials: keys } = await withDeadline({ timeoutMs, action }, send);
      if (!keys?.AccessKeyId || !keys.SecretAccessKey || !keys.SessionToken || !keys.Expiration) {
        throw new StorageError('unavailable', `${action}: the response contains no credentials`, { retryable: true });
      }
      return {
        accessKeyId: keys.AccessKeyId,
        secretAccessKey: keys.SecretAccessKey,
        sessionToken: keys.SessionToken,
        expiration: keys.Expiration,
      };
    } catch (error) {
      throw toStorageError(error, action);
    } finally {
      client.destroy();
    }
  };
}

async function ownCredentials(client: STSClient, action: string, timeoutMs: number): Promise<void> {
  await withDeadline({ timeoutMs, action }, () => client.config.credentials()).catch((error: unknown) => {
    const cause = new NoOwnCredentialsError('this installation has no AWS credentials', { cause: error });
    throw new StorageError('invalid', `${action}: this installation has no AWS credentials`, { cause });
  });
}
