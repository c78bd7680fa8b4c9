// The environment that Kubernetes gives a process: its ConfigMap, then its variables, which have precedence. Secrets have example values.
// Azure adds variables to pods that use its workload identity, and they need no connection string.
import type { Rendered } from './kubernetes-tools.js';

const EXAMPLES: readonly [RegExp, string][] = [
  [/^database-url/, 'postgres://kiln:password@postgres:5432/kiln'],
  [/^nats-url-/, 'nats://kiln:password@nats:4222'],
  [/^redis-url$/, 'redis://:password@redis:6379'],
  [/^encryption-key$/, Buffer.alloc(32, 1).toString('base64')],
  // Optional, and needed together with an issuer.
  [/^connections-oidc-key$/, ''],
  // Optional, and needed together with sentinels.
  [/^redis-sentinel-password$/, ''],
  [/^api-key$/, `kiln_live_${'a'.repeat(43)}`],
  [/^storage-gcs-credentials$/, JSON.stringify({ client_email: 'a@example.com', private_key: 'key' })],
  [/^storage-azure-connection-string$/, 'AccountName=account;AccountKey=a2V5'],
  [/^storage-/, 'example-of-a-long-secret'],
  // Optional ones of the Secret kiln-engines: empty, which counts as missing, but the process must know the name.
  [/^KILN_/, ''],
];

function exampleOf(key: string): string {
  const [, value] = EXAMPLES.find(([pattern]) => pattern.test(key)) ?? [];
  if (value === undefined) throw new Error(`no example of the secret ${key}`);
  return value;
}

export function environmentOf(objects: readonly Rendered[], process: string): Record<string, string> {
  const find = (kind: string, name: string) =>
    objects.find((object) => object.kind === kind && object.metadata.name === name);
  const { metadata, spec } = find('Deployment', process)?.spec?.template ?? {};
  const container = spec?.containers[0];
  if (!container) throw new Error(`no Deployment ${process}`);
  const isIdentified = metadata?.labels['azure.workload.identity/use'] === 'true';
  const account = find('ServiceAccount', spec?.serviceAccountName ?? '')?.metadata.annotations;
  const identity = {
    AZURE_CLIENT_ID: account?.['azure.workload.identity/client-id'] ?? '',
    AZURE_TENANT_ID: '00000000-0000-0000-0000-000000000000',
    AZURE_FEDERATED_TOKEN_FILE: '/var/run/secrets/azure/tokens/azure-identity-token',
    AZURE_AUTHORITY_HOST: 'https://login.microsoftonline.com/',
    KILN_STORAGE_AZURE_CONNECTION_STRING: '',
  };
  const settings = (container.envFrom ?? []).flatMap(({ configMapRef }) =>
    Object.entries(find('ConfigMap', configMapRef?.name ?? '')?.data ?? {}),
  );
  const variables = (container.env ?? []).map(({ name, value, valueFrom }) => [
    name,
    value ?? exampleOf(valueFrom?.secretKeyRef?.key ?? ''),
  ]);
  return { ...Object.fromEntries([...settings, ...variables]), ...(isIdentified && identity) };
}
