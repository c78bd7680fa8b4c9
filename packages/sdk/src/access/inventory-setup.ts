// The inventories that Amazon S3 makes of a bucket, and the right to read them.
import { json, named, type AccessOptions, type AccessText } from './access-options.js';
import { literal } from './iam-policies.js';
import { shellWord } from './shell-word.js';

/** None unless `inventory` is set. Only Amazon makes them. */
export function inventorySetup(options: AccessOptions): AccessText[] {
  const { provider, inventory } = options;
  if (inventory === undefined || provider !== 's3') return [];
  const place = { bucket: named(inventory.bucket, 'inventory bucket'), ...partsOf(options, inventory.prefix) };
  return [readingPolicy(options, place), writingPolicy(options, place), inventoryCommands(options, place)];
}

interface Place {
  bucket: string;
  /** What S3 puts before the name of the source bucket. */
  prefix: string;
  /** The name of the inventory. */
  id: string;
}

const VERSION = '2012-10-17';

/** S3 stores an inventory at `<prefix>/<source bucket>/<id>/`. */
function partsOf({ bucket }: AccessOptions, given: string): Omit<Place, 'bucket'> {
  const names = given.split('/').filter((name) => name !== '');
  const id = names.at(-1) ?? 'kiln';
  const isComplete = names.at(-2) === bucket.trim();
  return { id, prefix: isComplete ? names.slice(0, -2).join('/') : 'inventories' };
}

const arnOf = ({ roleArn = '' }: AccessOptions, bucket: string): string => {
  const [, partition = 'aws'] = /^arn:(aws[a-z-]*):/.exec(roleArn) ?? [];
  return `arn:${partition}:s3:::${bucket}`;
};

const folderOf = ({ prefix }: Place): string => (prefix === '' ? '' : `${prefix}/`);

function readingPolicy(options: AccessOptions, place: Place): AccessText {
  const keys = `${literal(`${folderOf(place)}${named(options.bucket, 'bucket')}/${place.id}/`)}*`;
  const resource = arnOf(options, place.bucket);
  const Condition = { StringLike: { 's3:prefix': keys } };
  return {
    title: 'Inventory policy',
    about: 'Only for an inventory. A further policy of the role or the user, which reads it.',
    text: json({
      Version: VERSION,
      Statement: [
        { Effect: 'Allow', Action: 's3:ListBucket', Resource: resource, Condition },
        { Effect: 'Allow', Action: 's3:GetObject', Resource: `${resource}/${keys}` },
      ],
    }),
  };
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/example-bucket-policies.html#example-bucket-policies-s3-inventory-1 */
function writingPolicy(options: AccessOptions, place: Place): AccessText {
  return {
    title: 'Policy of the inventory bucket',
    about:
      'Only for an inventory. The policy of the bucket in which Amazon S3 stores it. Add the statement to those that the bucket has.',
    text: json({
      Version: VERSION,
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Service: 's3.amazonaws.com' },
          Action: 's3:PutObject',
          Resource: `${arnOf(options, place.bucket)}/${literal(folderOf(place))}*`,
          Condition: { ArnLike: { 'aws:SourceArn': arnOf(options, named(options.bucket, 'bucket')) } },
        },
      ],
    }),
  };
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketInventoryConfiguration.html */
function inventoryCommands(options: AccessOptions, place: Place): AccessText {
  const bucket = named(options.bucket, 'bucket');
  const Prefix = place.prefix === '' ? {} : { Prefix: place.prefix };
  const configuration = {
    Id: place.id,
    IsEnabled: true,
    Destination: { S3BucketDestination: { Bucket: arnOf(options, place.bucket), Format: 'CSV', ...Prefix } },
    ...(options.prefix !== '' && { Filter: { Prefix: options.prefix } }),
    IncludedObjectVersions: 'Current',
    OptionalFields: ['Size', 'LastModifiedDate', 'ETag', 'StorageClass'],
    Schedule: { Frequency: 'Daily' },
  };
  return {
    title: 'Inventory commands',
    about: 'Only for an inventory. Amazon S3 then makes one each day, the first within 48 hours.',
    text: `cat > inventory.json <<'END'
${json(configuration)}
END
aws s3api put-bucket-inventory-configuration --bucket ${shellWord(bucket)} --id ${shellWord(place.id)} \\
  --inventory-configuration file://inventory.json`,
  };
}
