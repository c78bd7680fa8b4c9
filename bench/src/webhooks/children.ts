// The processes at both ends of a measurement: a receiver that accepts everything, and the minimal sender.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cpuSeconds } from '../process-tree.js';
import type { Measured } from './measured.js';

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export async function startReceiver(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [script('receiver.js')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: `http://127.0.0.1:${Number(line.toString())}/hook` };
}

export interface BareSender {
  /** CPU time is measured from when it has the payloads until the last response. */
  send(payloads: readonly string[]): Promise<Measured>;
  stop(): void;
}

export interface BareTarget {
  url: string;
  secret: string;
  connections: number;
}

export function startBareSender(target: BareTarget, nodeFlag: string): BareSender {
  const child = spawn(process.execPath, [nodeFlag, script('bare-sender.js')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const say = async (line: string, answer: string) => {
    child.stdin.write(`${line}\n`);
    const [got] = (await once(lines, 'line')) as [string];
    if (got !== answer) throw new Error(`the bare sender said ${got}`);
  };
  child.stdin.write(`${JSON.stringify(target)}\n`);
  const pids = [child.pid ?? 0];
  return {
    send: async (payloads) => {
      await say(JSON.stringify(payloads), 'ready');
      const before = cpuSeconds(pids);
      const startedAt = performance.now();
      await say('go', 'done');
      const seconds = (performance.now() - startedAt) / 1_000;
      return { perSecond: payloads.length / seconds, perCpuSecond: payloads.length / (cpuSeconds(pids) - before) };
    },
    stop: () => void child.kill(),
  };
}
