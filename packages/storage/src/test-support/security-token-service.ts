// AssumeRole of AWS's STS as its documentation describes it: https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html
// It returns one pair of keys when the request names the role and the external id and is signed by the one identity that it accepts.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface SecurityTokenServiceOptions {
  /** Of the identity that may assume the role. */
  trustedAccessKeyId: string;
  roleArn: string;
  externalId: string;
  /** The credentials that the service issues. */
  accessKeyId: string;
  secretAccessKey: string;
  /** The time until the credentials expire. Default 3,600. */
  sessionSeconds?: number;
}

export interface SecurityTokenService {
  url: string;
  /** Times the role was assumed. */
  readonly assumedCount: number;
  close(): void;
}

export async function startSecurityTokenService(options: SecurityTokenServiceOptions): Promise<SecurityTokenService> {
  let assumedCount = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await text(request));
    const refusal = refusalOf(options, request.headers.authorization ?? '', form);
    response.writeHead(refusal === null ? 200 : 403, { 'content-type': 'text/xml' });
    if (refusal === null) assumedCount += 1;
    response.end(refusal ?? assumed(options));
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get assumedCount() {
      return assumedCount;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function refusalOf(
  { trustedAccessKeyId, roleArn, externalId }: SecurityTokenServiceOptions,
  authorization: string,
  form: URLSearchParams,
): string | null {
  const isSigned = authorization.startsWith(`AWS4-HMAC-SHA256 Credential=${trustedAccessKeyId}/`);
  if (!isSigned) return error('InvalidClientTokenId', 'The security token included in the request is invalid.');
  const isWanted = form.get('Action') === 'AssumeRole' && form.get('Version') === '2011-06-15';
  const isTrusted = form.get('RoleArn') === roleArn && form.get('ExternalId') === externalId;
  if (isWanted && isTrusted && form.get('RoleSessionName')) return null;
  return error('AccessDenied', `User is not authorized to perform: sts:AssumeRole on resource: ${form.get('RoleArn')}`);
}

const error = (code: string, message: string): string =>
  `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>${code}</Code>` +
  `<Message>${message}</Message></Error><RequestId>1</RequestId></ErrorResponse>`;

const assumed = ({
  roleArn,
  accessKeyId,
  secretAccessKey,
  sessionSeconds = 3_600,
}: SecurityTokenServiceOptions): string =>
  `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><AssumedRoleUser>` +
  `<AssumedRoleId>AROA:kiln</AssumedRoleId><Arn>${roleArn}</Arn></AssumedRoleUser><Credentials>` +
  `<AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>` +
  `<SessionToken>session-token</SessionToken><Expiration>${new Date(Date.now() + sessionSeconds * 1_000).toISOString()}</Expiration>` +
  `</Credentials></AssumeRoleResult><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></AssumeRoleResponse>`;
