// Queues to which buckets report changed objects, and the right to read them.
import { json, named, type AccessOptions, type AccessText } from './access-options.js';
import { shellWord } from './shell-word.js';

/** None unless `queue` is set. Stores that are compatible with S3 do not report to SQS. */
export function notificationSetup(options: AccessOptions): AccessText[] {
  const { provider, queue } = options;
  if (queue === undefined) return [];
  if (provider === 's3') return [sqsPolicy(options, queue), sqsCommands(options, queue)];
  if (provider === 'gcs') return [pubSubCommands(options, queue)];
  return provider === 'container_blob' ? [eventGridCommands(options, queue)] : [];
}

const NAME = 'kiln';
const PARTITION = /^arn:(aws[a-z-]*):/;

interface SqsQueue {
  partition: string;
  region: string;
  account: string;
  name: string;
}

function sqsQueueOf({ roleArn = '' }: AccessOptions, queue: string): SqsQueue {
  const [, partition = 'aws'] = PARTITION.exec(roleArn) ?? [];
  const [, region = '<region>', account = '<account>', name = NAME] =
    /^https:\/\/sqs\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?\/(\d+)\/([\w.-]+)$/.exec(queue.trim()) ?? [];
  return { partition, region, account, name };
}

const arnOf = ({ partition, region, account, name }: SqsQueue): string =>
  `arn:${partition}:sqs:${region}:${account}:${name}`;

function sqsPolicy(options: AccessOptions, queue: string): AccessText {
  const Action = ['sqs:ReceiveMessage', 'sqs:DeleteMessage'];
  const Resource = arnOf(sqsQueueOf(options, queue));
  return {
    title: 'Notification policy',
    about: 'Only for notifications. A further policy of the role or the user, which reads the queue.',
    text: json({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource }] }),
  };
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/ways-to-add-notification-config-to-bucket.html */
function sqsCommands(options: AccessOptions, queue: string): AccessText {
  const sqs = sqsQueueOf(options, queue);
  const bucket = named(options.bucket, 'bucket');
  const Policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: 's3.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: arnOf(sqs),
        Condition: { ArnLike: { 'aws:SourceArn': `arn:${sqs.partition}:s3:::${bucket}` } },
      },
    ],
  });
  const below = { Filter: { Key: { FilterRules: [{ Name: 'prefix', Value: options.prefix }] } } };
  const Events = ['s3:ObjectCreated:*', 's3:ObjectRemoved:*', 's3:ObjectRestore:Completed', 's3:LifecycleExpiration:*'];
  const configuration = { QueueArn: arnOf(sqs), Events, ...(options.prefix !== '' && below) };
  return {
    title: 'Notification commands',
    about:
      'Only for notifications. Create the queue, and let the bucket report to it. The last command replaces all notifications that the bucket ' +
      'already has.',
    text: `cat > queue.json <<'END'
${json({ MessageRetentionPeriod: '1209600', Policy })}
END
aws sqs create-queue --region ${shellWord(sqs.region)} --queue-name ${shellWord(sqs.name)} --attributes file://queue.json
cat > notifications.json <<'END'
${json({ QueueConfigurations: [configuration] })}
END
aws s3api put-bucket-notification-configuration --bucket ${shellWord(bucket)} \\
  --notification-configuration file://notifications.json`,
  };
}

/** https://cloud.google.com/storage/docs/reporting-changes */
function pubSubCommands({ bucket, prefix }: AccessOptions, queue: string): AccessText {
  const [, project = '<project>', name = NAME] = /^projects\/([^/]+)\/subscriptions\/([^/]+)$/.exec(queue.trim()) ?? [];
  const topic = shellWord(`projects/${project}/topics/${name}`);
  const below = prefix === '' ? '' : ` \\\n  --object-prefix=${shellWord(prefix)}`;
  return {
    title: 'Notification commands',
    about:
      'Only for notifications. Create a topic and its subscription, let the bucket report to the topic, and let the service account read the ' +
      'subscription.',
    text: `gcloud pubsub topics create ${shellWord(name)} --project ${shellWord(project)}
gcloud storage buckets notifications create ${shellWord(`gs://${named(bucket, 'bucket')}`)} --topic=${topic} \\
  --event-types=OBJECT_FINALIZE,OBJECT_DELETE,OBJECT_ARCHIVE --payload-format=none${below}
gcloud pubsub subscriptions create ${shellWord(name)} --project ${shellWord(project)} --topic ${topic} \\
  --ack-deadline 120 --message-retention-duration 7d
gcloud pubsub subscriptions add-iam-policy-binding ${shellWord(name)} --project ${shellWord(project)} \\
  --member ${shellWord(`serviceAccount:kiln@${project}.iam.gserviceaccount.com`)} --role roles/pubsub.subscriber`,
  };
}

/** https://learn.microsoft.com/azure/event-grid/handler-storage-queues */
function eventGridCommands({ kind, account, bucket, prefix }: AccessOptions, queue: string): AccessText {
  const name = queue.trim() === '' ? NAME : queue.trim();
  const storage = `/subscriptions/<subscription>/resourceGroups/<group>/providers/Microsoft.Storage/storageAccounts/${named(account, 'account')}`;
  const role = `
az role assignment create --assignee '<appId>' --role "Storage Queue Data Message Processor" \\
  --scope ${shellWord(`${storage}/queueServices/default/queues/${name}`)}`;
  const subject = `/blobServices/default/containers/${named(bucket, 'container')}/blobs/${prefix}`;
  return {
    title: 'Notification commands',
    about:
      'Only for notifications. Create a queue in the storage account, let Event Grid report to it, and let the application read it. Keys of ' +
      'the account and shared access signatures need no role.',
    text: `az storage queue create --name ${shellWord(name)} --account-name ${shellWord(named(account, 'account'))} --auth-mode login
az eventgrid event-subscription create --name ${shellWord(name)} --source-resource-id ${shellWord(storage)} \\
  --endpoint-type storagequeue --endpoint ${shellWord(`${storage}/queueServices/default/queues/${name}`)} \\
  --included-event-types Microsoft.Storage.BlobCreated Microsoft.Storage.BlobDeleted Microsoft.Storage.BlobRenamed \\
  --subject-begins-with ${shellWord(subject)}${kind === 'servicePrincipal' ? role : ''}`,
  };
}
