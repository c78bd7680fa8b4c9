import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessTexts, type AccessOptions, type BucketCredentialKind, type BucketProvider } from './bucket-access.js';
import { accessPage } from './fixtures/access-page.js';

const kinds: Record<BucketProvider, BucketCredentialKind> = {
  s3: 'role',
  gcs: 'serviceAccount',
  container_blob: 'servicePrincipal',
  r2: 'accessKey',
  selfhost_s3: 'accessKey',
  b2: 'accessKey',
  spaces_store: 'accessKey',
  hot_store: 'accessKey',
  backend_storage: 'accessKey',
};
const providers = Object.keys(kinds) as BucketProvider[];
const options: AccessOptions = {
  provider: 's3',
  kind: 'role',
  bucket: 'acme',
  prefix: 'contracts/',
  endpoint: '',
  account: '',
  mayUpload: false,
  roleArn: 'arn:aws:iam::123456789012:role/kiln',
  externalId: 'org_1',
};
const textOf = (title: string, change: Partial<AccessOptions> = {}) =>
  accessTexts({ ...options, ...change }).find((one) => one.title === title)?.text ?? '';

/** Runs commands with functions in place of the vendors' programs. Returns the arguments of each call, and the files that were written. */
function run(commands: string): { calls: string[][]; files: Record<string, unknown> } {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-commands-'));
  try {
    const record = 'printf "%s\\0" "$0" "$@" >> calls; printf "\\n" >> calls';
    const functions = ['gcloud', 'az', 'aws', 'b2', 'doctl'].map(
      (name) => `${name}() { sh -c '${record}' ${name} "$@"; }`,
    );
    execFileSync('sh', ['-eu', '-c', [...functions, commands].join('\n')], { cwd: folder });
    const calls = readFileSync(join(folder, 'calls'), 'utf8').split('\0\n').slice(0, -1);
    const written = [...commands.matchAll(/^cat > (\S+)/gm)].map(([, name = '']) => name);
    const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return {
      calls: calls.map((call) => call.split('\0')),
      files: Object.fromEntries(written.map((name) => [name, read(name)])),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the texts that give access to a bucket', () => {
  it('let a role be assumed by Kiln for this organization only', () => {
    expect(JSON.parse(textOf('Trust policy'))).toStrictEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { AWS: 'arn:aws:iam::123456789012:role/kiln' },
          Action: 'sts:AssumeRole',
          Condition: { StringEquals: { 'sts:ExternalId': 'org_1' } },
        },
      ],
    });
    expect(textOf('Trust policy', { kind: 'accessKey' })).toBe('');
  });

  it('permit what Kiln does in the bucket, below the prefix, and no more', () => {
    expect(JSON.parse(textOf('Policy'))).toStrictEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Action: 's3:ListBucket',
          Resource: 'arn:aws:s3:::acme',
          Condition: { StringLike: { 's3:prefix': 'contracts/*' } },
        },
        { Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::acme/contracts/*' },
      ],
    });
    expect(textOf('Policy', { mayUpload: true })).toContain('s3:PutObject');
    expect(textOf('Policy', { prefix: '' })).not.toContain('Condition');
    expect(textOf('Policy', { roleArn: 'arn:aws-cn:iam::123456789012:role/kiln' })).toContain('arn:aws-cn:s3:::acme');
  });

  it('take a prefix literally, also where a policy has wildcards and variables', () => {
    const policy = textOf('Policy', { prefix: 'a*b?c${aws:username}"/' });
    expect((JSON.parse(policy) as { Statement: { Resource: string }[] }).Statement[1]?.Resource).toBe(
      'arn:aws:s3:::acme/a${*}b${?}c${$}{aws:username}"/*',
    );
  });

  it.each(providers)('for %s are JSON, or commands with the values as single words', (provider) => {
    const hostile = `it's "$(touch x)" \`y\`; &é/`;
    for (const mayUpload of [false, true]) {
      const change = {
        provider,
        kind: kinds[provider],
        prefix: hostile,
        mayUpload,
        endpoint: 'https://s3.example.com',
      };
      for (const { title, text } of accessTexts({ ...options, ...change })) {
        if (!title.includes('ommand')) {
          expect(JSON.parse(text)).toBeInstanceOf(Object);
          continue;
        }
        const { calls, files } = run(text);
        const words = [...calls.flat(), JSON.stringify(files)];
        const isWhole = title.startsWith('CORS') || ['container_blob', 'spaces_store'].includes(provider);
        const escaped = JSON.stringify(JSON.stringify(hostile).slice(1, -1)).slice(1, -1);
        if (!isWhole) expect(words.some((word) => word === hostile || word.includes(escaped))).toBe(true);
        const rules = calls.flat().find((word) => word.startsWith('{'));
        if (rules !== undefined) expect(JSON.parse(rules)).toHaveProperty('CORSRules');
      }
    }
  });

  it('limit a service account of Google to the prefix', () => {
    const { calls, files } = run(textOf('Commands', { provider: 'gcs', kind: 'serviceAccount' }));
    expect(calls.map(([program, ...words]) => [program, ...words.slice(0, 3)].join(' '))).toStrictEqual([
      'gcloud iam service-accounts create',
      'gcloud storage buckets add-iam-policy-binding',
      'gcloud iam service-accounts keys',
    ]);
    expect(files['condition.json']).toStrictEqual({
      title: 'kiln',
      expression:
        'resource.name.startsWith("projects/_/buckets/acme/objects/contracts/") || ' +
        'api.getAttribute("storage.googleapis.com/objectListPrefix", "").startsWith("contracts/")',
    });
  });

  it('let a service account of Google trust tokens for one organization, in place of a key', () => {
    const identity = { issuer: 'https://kiln.example', subject: 'org_1', jwks: { keys: [{ kty: 'EC' }] } };
    const change = { provider: 'gcs', kind: 'workloadIdentity', identity } as const;
    expect(textOf('Commands', change)).not.toContain('keys create');
    const { calls, files } = run(textOf('Identity pool commands', change));
    expect(calls.map(([, ...words]) => words.slice(0, 3).join(' '))).toStrictEqual([
      'services enable iamcredentials.googleapis.com',
      'iam workload-identity-pools create',
      'iam workload-identity-pools providers',
      'iam service-accounts add-iam-policy-binding',
      'iam service-accounts add-iam-policy-binding',
      'iam workload-identity-pools create-cred-config',
    ]);
    expect(files['jwks.json']).toStrictEqual(identity.jwks);
    expect(calls[2]).toContain(identity.issuer);
    expect(calls[3]).toContain(
      'principal://iam.googleapis.com/projects/<project number>/locations/global/workloadIdentityPools/kiln-pool/subject/org_1',
    );
    expect(accessTexts({ ...options, ...change, identity: undefined })).toHaveLength(2);
  });

  it('give a token of Cloudflare the bucket in its account and jurisdiction', () => {
    const endpoint = 'https://0123abcd.eu.r2.cloudflarestorage.com';
    expect(textOf('API token', { provider: 'r2', kind: 'accessKey', endpoint })).toContain(
      '"com.cloudflare.edge.r2.bucket.0123abcd_eu_acme"',
    );
  });

  it('have placeholders for what is not known yet', () => {
    expect(textOf('Commands', { provider: 'gcs', kind: 'serviceAccount', bucket: '' })).toContain("'gs://<bucket>'");
  });

  describe('of notifications', () => {
    const hostile = `it's "$(touch x)" \`y\`; &é/`;
    const commandsOf = (change: Partial<AccessOptions>) =>
      run(textOf('Notification commands', { prefix: hostile, ...change }));

    it('let a role receive and delete the messages of its queue, and the bucket send them', () => {
      const queue = 'https://sqs.eu-central-1.amazonaws.com/123456789012/changes';
      const arn = 'arn:aws:sqs:eu-central-1:123456789012:changes';
      expect(JSON.parse(textOf('Notification policy', { queue }))).toStrictEqual({
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: ['sqs:ReceiveMessage', 'sqs:DeleteMessage'], Resource: arn }],
      });
      const { calls, files } = commandsOf({ queue });
      expect(calls.map((words) => words.slice(1, 3).join(' '))).toStrictEqual([
        'sqs create-queue',
        's3api put-bucket-notification-configuration',
      ]);
      const { Policy } = files['queue.json'] as { Policy: string };
      expect(JSON.parse(Policy)).toMatchObject({
        Statement: [{ Resource: arn, Condition: { ArnLike: { 'aws:SourceArn': 'arn:aws:s3:::acme' } } }],
      });
      expect(files['notifications.json']).toMatchObject({
        QueueConfigurations: [
          { QueueArn: arn, Filter: { Key: { FilterRules: [{ Name: 'prefix', Value: hostile }] } } },
        ],
      });
    });

    it('create topic, subscription and role at Google, and a subscription of Event Grid at Azure, with the prefix as a part of one word', () => {
      const google = commandsOf({
        provider: 'gcs',
        kind: 'serviceAccount',
        queue: 'projects/acme/subscriptions/changes',
      });
      expect(google.calls.map((words) => words.slice(1, 4).join(' '))).toStrictEqual([
        'pubsub topics create',
        'storage buckets notifications',
        'pubsub subscriptions create',
        'pubsub subscriptions add-iam-policy-binding',
      ]);
      expect(google.calls[1]).toContain(`--object-prefix=${hostile}`);
      expect(google.calls[1]).toContain('--topic=projects/acme/topics/changes');
      const azure = commandsOf({ provider: 'container_blob', kind: 'servicePrincipal', queue: '' });
      expect(azure.calls.map((words) => words.slice(1, 3).join(' '))).toStrictEqual([
        'storage queue',
        'eventgrid event-subscription',
        'role assignment',
      ]);
      expect(azure.calls[1]).toContain(`/blobServices/default/containers/acme/blobs/${hostile}`);
    });

    it('are for the providers that report to a queue, when a queue is wanted', () => {
      const withQueue = (queue: string | undefined) =>
        providers.filter((provider) => textOf('Notification commands', { provider, queue }) !== '');
      expect([withQueue(''), withQueue(undefined)]).toStrictEqual([['s3', 'gcs', 'container_blob'], []]);
    });
  });

  it('let a role read its inventory and no other, and Amazon S3 store it', () => {
    const hostile = `it's "$(touch x)"/`;
    const inventory = { bucket: 'reports', prefix: 'daily/acme/kiln/' };
    const of = (title: string) => textOf(title, { prefix: hostile, inventory });
    expect(JSON.parse(of('Inventory policy'))).toMatchObject({
      Statement: [
        { Resource: 'arn:aws:s3:::reports', Condition: { StringLike: { 's3:prefix': 'daily/acme/kiln/*' } } },
        { Resource: 'arn:aws:s3:::reports/daily/acme/kiln/*' },
      ],
    });
    expect(JSON.parse(of('Policy of the inventory bucket'))).toMatchObject({
      Statement: [
        { Resource: 'arn:aws:s3:::reports/daily/*', Condition: { ArnLike: { 'aws:SourceArn': 'arn:aws:s3:::acme' } } },
      ],
    });
    const { calls, files } = run(of('Inventory commands'));
    expect(calls.map((words) => words.slice(1, 3).join(' '))).toStrictEqual([
      's3api put-bucket-inventory-configuration',
    ]);
    expect(files['inventory.json']).toMatchObject({ Id: 'kiln', Filter: { Prefix: hostile } });
    const created = textOf('Inventory policy', { inventory: { bucket: '', prefix: '' } });
    expect(created).toContain('<inventory bucket>/inventories/acme/kiln/*');
    const withInventory = providers.filter((provider) => textOf('Inventory policy', { provider, inventory }) !== '');
    expect(withInventory).toStrictEqual(['s3']);
  });

  it('are for each provider those that it understands', () => {
    const titlesOf = (provider: BucketProvider) =>
      accessTexts({ ...options, provider, kind: kinds[provider] }).map(({ title }) => title);
    expect(Object.fromEntries(providers.map((id) => [id, titlesOf(id)]))).toStrictEqual({
      s3: ['Trust policy', 'Policy', 'CORS rules'],
      gcs: ['Commands', 'CORS commands'],
      container_blob: ['Commands', 'CORS command'],
      r2: ['API token', 'CORS rules'],
      selfhost_s3: ['Policy'],
      b2: ['Command', 'CORS command'],
      spaces_store: ['Command', 'CORS command'],
      hot_store: ['Policy'],
      backend_storage: [],
    });
  });

  it('are those of docs/bucket-access.md', () => {
    const page = readFileSync(new URL('../../../docs/bucket-access.md', import.meta.url), 'utf8');
    expect(page).toContain(accessPage());
  });
});
