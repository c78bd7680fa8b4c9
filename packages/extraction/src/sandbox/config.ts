import { delimiter } from 'node:path';

/** The only environment variables that a sandbox child receives. None of them can contain a secret. */
export function childEnvironment(workDirectory: string): NodeJS.ProcessEnv {
  const { LANG, TZ } = process.env;
  return { LANG, TZ, PATH: toolSearchPath().join(delimiter), HOME: workDirectory, TMPDIR: workDirectory };
}

/** The folders of system tools. A user's PATH often lacks /usr/sbin. */
export function toolSearchPath(): string[] {
  return ['/usr/sbin', '/usr/bin', '/sbin', '/bin'];
}
