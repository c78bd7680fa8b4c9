// The address of Redis, with its certificates. Without the client, whose 650 modules an operator command should not load.
import { certificateFilesOf } from '@kiln/platform';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

export const redisUrlVariable = z
  .string()
  .regex(/^rediss?:\/\//, { error: 'must be a redis:// or rediss:// address', abort: true })
  .refine(isClearAboutTls, { error: 'names certificates, so it must be a rediss:// address' });

/** An operator who names certificates expects TLS, and `redis://` would send the password without it. */
function isClearAboutTls(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const address = new URL(url);
  return address.protocol === 'rediss:' || Object.keys(certificateFilesOf(address)).length === 0;
}

/** Returns the TLS settings with the certificates that the address names, if it is `rediss://`. */
export function tlsOf(url: string) {
  const address = new URL(url);
  if (address.protocol !== 'rediss:') return {};
  const { caFile, certFile, keyFile } = certificateFilesOf(address);
  return {
    tls: true as const,
    ...(caFile && { ca: readFileSync(caFile) }),
    ...(certFile && { cert: readFileSync(certFile) }),
    ...(keyFile && { key: readFileSync(keyFile) }),
  };
}
