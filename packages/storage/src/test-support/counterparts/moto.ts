// moto: IAM, STS, S3 and SQS of AWS in Python. It enforces the policies of IAM once `enforce` was called, and checks no region.
import { PutBucketNotificationConfigurationCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { startProgram, type Program } from './installed-program.js';

export interface Moto {
  url: string;
  /** Calls an action of the query APIs of IAM and STS, without rights of its own. Returns the response, which is XML. */
  call(service: 'iam' | 'sts', parameters: Record<string, string>): Promise<string>;
  /** Creates a queue. Returns its URL. */
  createQueue(name: string): Promise<string>;
  /** Sends a message to a queue. */
  sendMessage(queueUrl: string, body: string): Promise<void>;
  /** Lets a bucket report created and removed objects to a queue in us-east-1. */
  notify(bucket: string, queueName: string): Promise<void>;
  /** From now on requests need rights. */
  enforce(): Promise<void>;
  close(): Promise<void>;
}

export async function startMoto(program: Program): Promise<Moto> {
  const environment = { AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none', PYTHONDONTWRITEBYTECODE: '1' };
  const running = await startProgram(program, (port) => ['-H', '127.0.0.1', '-p', String(port)], environment);
  const url = `http://127.0.0.1:${running.port}`;
  const scope = (service: string) => `AWS4-HMAC-SHA256 Credential=none/20260101/us-east-1/${service}/aws4_request`;
  return {
    url,
    call: async (service, parameters) => {
      const headers = { authorization: `${scope(service)}, SignedHeaders=host, Signature=none` };
      const response = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(parameters) });
      const body = await response.text();
      if (!response.ok) throw new Error(body);
      return body;
    },
    ...queuesAt(url),
    enforce: async () => {
      await fetch(`${url}/moto-api/reset-auth`, { method: 'POST', body: '0' });
    },
    close: () => running.close(),
  };
}

function queuesAt(endpoint: string): Pick<Moto, 'createQueue' | 'sendMessage' | 'notify'> {
  const place = { endpoint, region: 'us-east-1', credentials: { accessKeyId: 'none', secretAccessKey: 'none' } };
  const [sqs, s3] = [new SQSClient(place), new S3Client({ ...place, forcePathStyle: true })];
  return {
    createQueue: async (QueueName) => (await sqs.send(new CreateQueueCommand({ QueueName }))).QueueUrl ?? '',
    sendMessage: async (QueueUrl, MessageBody) => {
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    },
    notify: async (Bucket, queueName) => {
      const QueueArn = `arn:aws:sqs:us-east-1:123456789012:${queueName}`;
      const queue = { QueueArn, Events: ['s3:ObjectCreated:*' as const, 's3:ObjectRemoved:*' as const] };
      const NotificationConfiguration = { QueueConfigurations: [queue] };
      await s3.send(new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration }));
    },
  };
}
