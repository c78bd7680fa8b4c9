/** Determines, once per process, which isolation of child processes the system permits. */
import { execFile } from 'node:child_process';

/**
 * `network_namespace`: the child has no network interface at all, native code included.
 * `javascript_only`: the child's JavaScript has no network functions; the system offered nothing stronger.
 */
export type IsolationLevel = 'network_namespace' | 'javascript_only';

export interface Isolation {
  level: IsolationLevel;
  /** The command in front of node; empty when there is none. */
  prefix: readonly string[];
}

const probeDeadlineMs = 3000;
/** The second form needs no privilege where user namespaces are permitted. */
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
