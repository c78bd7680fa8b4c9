// A whole system with one healthy endpoint, which measures the time from an upload to its event.
import { startSystem } from '@kiln/dev/start-system';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

export interface NotifiedSystem {
  /** Calls the API and returns the body. */
  call<Body>(method: string, path: string, json: object): Promise<Body>;
  /** Uploads files one at a time with pauses. Returns the milliseconds from `created_at` in the payload to arrival. */
  measureDeliveries(count: number): Promise<number[]>;
  stop(): Promise<void>;
}

const REST_MS = 100;

export async function startNotifiedSystem(): Promise<NotifiedSystem> {
  const environment = {
    KILN_OUTBOUND_ALLOW: '127.0.0.1',
    KILN_RATE_LIMIT_RPS: '10000',
    KILN_RATE_LIMIT_BURST: '10000',
  };
  const system = await startSystem({ environment });
  const authorization = `ApiKey ${system.apiKey}`;
  let took: number[] = [];
  const endpoint = createServer((request, response) => {
    const at = Date.now();
    void text(request).then((body) => {
      took.push(at - Date.parse((JSON.parse(body) as { created_at: string }).created_at));
      return response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));

  const call = async <Body>(method: string, path: string, json: object): Promise<Body> => {
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(system.baseUrl + path, { method, headers, body: JSON.stringify(json) });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Body;
  };
  const upload = async () => {
    const body = new FormData();
    body.append('skip_processing', 'true');
    body.append('file', new Blob(['A file that emits an event.']), 'event.txt');
    await (await fetch(`${system.baseUrl}/v1/upload`, { method: 'POST', headers: { authorization }, body })).text();
  };
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
  await call('POST', '/v1/webhooks', { url, events: ['file.created'] });

  return {
    call,
    measureDeliveries: async (count) => {
      took = [];
      while (took.length < count) {
        const before = took.length;
        await upload();
        while (took.length === before) await delay(1);
        await delay(REST_MS);
      }
      return took;
    },
    stop: async () => {
      endpoint.closeAllConnections();
      endpoint.close();
      await system.stop();
    },
  };
}

/** The quantile `share` of the values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}
