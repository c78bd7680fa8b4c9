// Omits the hash of bodies from signatures where TLS protects them, or where they never leave the machine. On other connections, the hash
// reveals a changed body.
import type { S3Client } from '@aws-sdk/client-s3';

const BODY_COMMANDS = new Set(['PutObjectCommand', 'UploadPartCommand']);
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Undefined means AWS, which is reached over https. */
export function protectsBodies(endpoint: string | undefined): boolean {
  if (endpoint === undefined) return true;
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'https:' || LOOPBACK_HOST.test(hostname);
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, "Unsigned payload option" */
export function leaveBodiesUnsigned(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      (call) => {
        const { headers } = call.request as { headers: Record<string, string> };
        if (BODY_COMMANDS.has(commandName ?? '')) headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD';
        return next(call);
      },
    { step: 'build', name: 'leaveBodiesUnsigned' },
  );
}
