// A queue on loopback to which a test reports changed objects, as S3 does. It has the part of the API of SQS that Kiln uses:
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface NotificationQueue {
  url: string;
  report(bucket: string, key: string): void;
  close(): void;
}

interface Request {
  VisibilityTimeout?: number;
  Entries?: { Id: string; ReceiptHandle: string }[];
}

export async function startNotificationQueue(): Promise<NotificationQueue> {
  const kept = new Map<string, { body: string; hiddenUntil: number }>();
  const receive = ({ VisibilityTimeout = 30 }: Request) => {
    const visible = [...kept].filter(([, { hiddenUntil }]) => hiddenUntil <= Date.now()).slice(0, 10);
    for (const [, message] of visible) message.hiddenUntil = Date.now() + VisibilityTimeout * 1_000;
    const Messages = visible.map(([id, { body }]) => {
      return { MessageId: id, ReceiptHandle: id, Body: body, MD5OfBody: createHash('md5').update(body).digest('hex') };
    });
    return { Messages };
  };
  const remove = ({ Entries = [] }: Request) => {
    for (const { ReceiptHandle } of Entries) kept.delete(ReceiptHandle);
    return { Successful: Entries.map(({ Id }) => ({ Id })), Failed: [] };
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const isReceive = request.headers['x-amz-target'] === 'AmazonSQS.ReceiveMessage';
    const answer = (isReceive ? receive : remove)((await json(request)) as Request);
    response.setHeader('content-type', 'application/x-amz-json-1.0').end(JSON.stringify(answer));
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/123456789012/kiln`,
    report: (name, key) => {
      const s3 = { bucket: { name }, object: { key: encodeURIComponent(key) } };
      kept.set(randomUUID(), { body: JSON.stringify({ Records: [{ s3 }] }), hiddenUntil: 0 });
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
