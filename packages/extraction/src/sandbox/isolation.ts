/** Finds out, once per process, which isolation of child processes the system permits. */
import { execFile } from 'node:child_process';

/**
 * `network_namespace`: the child has no network interface, which also stops native code.
 * `javascript_only`: the network functions of JavaScript are disabled. Used when the system permits nothing stronger.
 */
export type IsolationLevel = 'network_namespace' | 'javascript_only';

export interface Isolation {
  level: IsolationLevel;
  /** The command and arguments before `node`. Empty without a namespace. */
  prefix: readonly string[];
}

const probeDeadlineMs = 3000;
/** The second command needs no privileges on systems that permit user namespaces. */
const namespacePrefixes: readonly (readonly string[])[] = [
  ['unshare', '--net', '--'],
  ['unshare', '--user', '--map-root-user', '--net', '--'],
];
let probed: Promise<Isolation> | null = null;

export function findIsolation(): Promise<Isolation> {
  probed ??= probe();
  return probed;
}

async function probe(): Promise<Isolation> {
  if (process.platform === 'linux') {
    for (const prefix of namespacePrefixes)
      if (await succeeds([...prefix, 'true'])) return { level: 'network_namespace', prefix };
  }
  return { level: 'javascript_only', prefix: [] };
}

function succeeds([program = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: probeDeadlineMs }, (error) => resolve(error === null));
  });
}
