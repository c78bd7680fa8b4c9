// The part of Google Pub/Sub's REST API that the queue of notifications uses, written from its documentation, because the emulator of others
// speaks gRPC only: https://cloud.google.com/pubsub/docs/reference/rest/v1/projects.subscriptions. It refuses requests that the documentation
// does not describe.
import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { IssuedTokens } from './google-identity/issued-tokens.js';
import { ApiError } from './google-storage/api-error.js';
import { checkBearer } from './google-storage/bearer.js';

export interface GooglePubSub {
  url: string;
  subscription: string;
  /** A service account's key file, and one that the server does not know. */
  credentialsJson: string;
  foreignCredentialsJson: string;
  /** Publishes a message to the topic of the subscription. */
  publish(attributes: Record<string, string>, data?: string): void;
  close(): void;
}

interface Kept {
  message: { data: string; attributes: Record<string, string>; messageId: string };
  /** The id of the newest delivery. */
  ackId: string;
  hiddenUntil: number;
}

interface Body {
  maxMessages?: number;
  returnImmediately?: boolean;
  ackIds?: string[];
  ackDeadlineSeconds?: number;
}

const ACK_DEADLINE_MS = 10_000;
/** A pull waits for a message for a time that Google does not document. */
const PULL_WAIT_MS = 500;
const SUBSCRIPTION = 'projects/tests/subscriptions/kiln';

/** `accountJson`: the key file of the service account. Default: a new one. `issued`: its tokens. */
export async function startGooglePubSub(accountJson?: string, issued?: IssuedTokens): Promise<GooglePubSub> {
  const [own, foreign] = [accountOf(accountJson ?? newKeyFile()), accountOf(newKeyFile())];
  const kept: Kept[] = [];
  const server = createServer((request, response) => {
    answer(kept, request, { ...own.signatory, ...(issued && { issued }) }).then(
      (content) => response.setHeader('content-type', 'application/json').end(JSON.stringify(content)),
      (error: unknown) => {
        const { status, message } = error instanceof ApiError ? error : new ApiError(500, String(error));
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { code: status, message } }));
      },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    subscription: SUBSCRIPTION,
    credentialsJson: own.keyFile,
    foreignCredentialsJson: foreign.keyFile,
    publish: (attributes, data = '') => {
      const message = { data: Buffer.from(data).toString('base64'), attributes, messageId: randomUUID() };
      kept.push({ message, ackId: '', hiddenUntil: 0 });
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  kept: Kept[],
  request: IncomingMessage,
  signatory: Parameters<typeof checkBearer>[1],
): Promise<object> {
  checkBearer(request, signatory);
  const [, path, method] = /^\/v1\/([^:?]+):(\w+)$/.exec(request.url ?? '') ?? [];
  if (request.method !== 'POST' || method === undefined) throw new ApiError(404, 'no such method');
  if (path !== SUBSCRIPTION) throw new ApiError(404, 'Resource not found (resource=other).');
  const body = (await json(request)) as Body;
  if (method === 'pull') return pull(kept, body);
  const { ackIds = [] } = body;
  if (ackIds.length === 0) throw new ApiError(400, 'No ack ids specified.');
  const named = kept.filter(({ ackId }) => ackIds.includes(ackId));
  if (method === 'acknowledge') for (const each of named) kept.splice(kept.indexOf(each), 1);
  else if (method === 'modifyAckDeadline') hide(named, (body.ackDeadlineSeconds ?? 0) * 1_000);
  else throw new ApiError(404, 'no such method');
  return {};
}

async function pull(kept: Kept[], { maxMessages = 0, returnImmediately = false }: Body): Promise<object> {
  if (maxMessages < 1) throw new ApiError(400, 'The value for max_messages must be positive.');
  const visible = () => kept.filter(({ hiddenUntil }) => hiddenUntil <= Date.now()).slice(0, maxMessages);
  const until = Date.now() + (returnImmediately ? 0 : PULL_WAIT_MS);
  while (visible().length === 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
  const delivered = visible();
  hide(delivered, ACK_DEADLINE_MS);
  for (const each of delivered) each.ackId = randomUUID();
  if (delivered.length === 0) return {};
  return { receivedMessages: delivered.map(({ ackId, message }) => ({ ackId, message })) };
}

function hide(messages: readonly Kept[], milliseconds: number): void {
  for (const each of messages) each.hiddenUntil = Date.now() + milliseconds;
}

function newKeyFile(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { type: 'service_account', project_id: 'tests', client_email: 'kiln@tests.iam.gserviceaccount.com' };
  return JSON.stringify({ ...key, private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) });
}

function accountOf(keyFile: string) {
  const { client_email: email, private_key } = JSON.parse(keyFile) as Record<'client_email' | 'private_key', string>;
  return { signatory: { email, publicKey: createPublicKey(private_key) }, keyFile };
}
