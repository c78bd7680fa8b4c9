// Policies in the language of AWS IAM, which MinIO and Wasabi share.
import { json, named, type AccessOptions, type AccessText } from './access-options.js';

const VERSION = '2012-10-17';
const PARTITION = /^arn:(aws[a-z-]*):/;

export function iamPolicies(options: AccessOptions): AccessText[] {
  const { kind, roleArn, externalId } = options;
  const holder = kind === 'role' ? 'your role' : 'the user that has the access key';
  const rights = { title: 'Policy', about: `The permissions policy of ${holder}.`, text: json(rightsPolicy(options)) };
  if (kind !== 'role' || roleArn === undefined || externalId === undefined) return [rights];
  return [
    {
      title: 'Trust policy',
      about: 'The trust policy of your role. Only Kiln can assume the role, and only for your organization.',
      text: json(trustPolicy(roleArn, externalId)),
    },
    rights,
  ];
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_common-scenarios_third-party.html */
const trustPolicy = (roleArn: string, externalId: string) => ({
  Version: VERSION,
  Statement: [
    {
      Effect: 'Allow',
      Principal: { AWS: roleArn },
      Action: 'sts:AssumeRole',
      Condition: { StringEquals: { 'sts:ExternalId': externalId } },
    },
  ],
});

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/example-policies-s3.html */
function rightsPolicy({ bucket, prefix, mayUpload, roleArn = '' }: AccessOptions) {
  const [, partition = 'aws'] = PARTITION.exec(roleArn) ?? [];
  const resource = `arn:${partition}:s3:::${named(bucket, 'bucket')}`;
  const keys = `${literal(prefix)}*`;
  return {
    Version: VERSION,
    Statement: [
      {
        Effect: 'Allow',
        Action: 's3:ListBucket',
        Resource: resource,
        ...(prefix !== '' && { Condition: { StringLike: { 's3:prefix': keys } } }),
      },
      {
        Effect: 'Allow',
        Action: mayUpload ? ['s3:GetObject', 's3:PutObject'] : 's3:GetObject',
        Resource: `${resource}/${keys}`,
      },
    ],
  };
}

/**
 * A prefix may contain characters that are wildcards or begin a variable in a policy.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_variables.html
 */
export const literal = (prefix: string): string => prefix.replace(/[*?$]/g, (character) => `\${${character}}`);
