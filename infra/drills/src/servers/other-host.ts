/** Another host: a network namespace, joined to this one by a link that can be cut. While it is cut, packets are lost, as if the host were gone. */
import { eventually } from '@kiln/dev';
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../place.js';
import { forwardPort } from './forward-ports.js';

const LOOPBACK = '127.0.0.1';
const [HERE, THERE] = ['10.213.7.1', '10.213.7.2'];
const [LINK, OTHER_END] = ['kiln-drill', 'kiln-drill-end'];

/** The reason why this machine cannot have one. Null if it can. */
export function otherHostMissing(): string | null {
  const isPermitted = process.getuid?.() === 0 && spawnSync('unshare', ['--net', 'ip', 'link']).status === 0;
  return isPermitted ? null : 'it needs root on Linux, and the command ip (apt-get install iproute2)';
}

export class OtherHost {
  private constructor(
    private readonly place: Place,
    private readonly pid: number,
  ) {}

  /** The ports of loopback here are open on loopback there, too. */
  static async join(place: Place, ports: readonly number[]): Promise<OtherHost> {
    const holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' });
    place.atEnd(() => holder.kill('SIGKILL'));
    const pid = Number(holder.pid);
    const networkOf = (process: string) => readlinkSync(`/proc/${process}/ns/net`);
    await eventually(() => networkOf(String(pid)) !== networkOf('self'));
    const host = new OtherHost(place, pid);
    // The link goes with the namespace.
    ip('link', 'add', LINK, 'type', 'veth', 'peer', 'name', OTHER_END, 'netns', String(pid));
    ip('address', 'add', `${HERE}/30`, 'dev', LINK);
    ip('link', 'set', LINK, 'up');
    host.ip('address', 'add', `${THERE}/30`, 'dev', OTHER_END);
    host.ip('link', 'set', OTHER_END, 'up');
    host.ip('link', 'set', 'lo', 'up');
    for (const port of ports) {
      const server = await forwardPort(HERE, LOOPBACK, port);
      place.atEnd(() => server.close());
    }
    const words = [join(import.meta.dirname, 'forward-ports.js'), LOOPBACK, HERE, ...ports.map(String)];
    const forwarding = host.start(process.execPath, words, {});
    if (!forwarding.stdout) throw new Error('no output');
    await once(forwarding.stdout, 'data');
    return host;
  }

  cutOff(): void {
    ip('link', 'set', LINK, 'down');
  }

  reconnect(): void {
    ip('link', 'set', LINK, 'up');
  }

  /** Starts a program on this host. Its errors are appended to a file of the drill. */
  start(command: string, words: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
    const errors = openSync(this.place.folder('other-host.log'), 'a');
    const child = spawn('nsenter', [...this.inside, command, ...words], {
      env: environment,
      stdio: ['ignore', 'pipe', errors],
    });
    this.place.atEnd(() => child.kill('SIGKILL'));
    return child;
  }

  private get inside(): string[] {
    return ['--target', String(this.pid), '--net'];
  }

  private ip(...words: string[]): void {
    execFileSync('nsenter', [...this.inside, 'ip', ...words]);
  }
}

const ip = (...words: string[]) => execFileSync('ip', words);
