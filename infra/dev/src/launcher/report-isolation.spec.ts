import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reportIsolation } from './report-isolation.js';

describe('the isolation that is printed', () => {
  let worker: Server;
  let respond: RequestListener;
  beforeEach(async () => {
    worker = createServer((request, response) => respond(request, response)).listen(0, '127.0.0.1');
    await once(worker, 'listening');
  });
  afterEach(() => {
    worker.closeAllConnections();
    worker.close();
  });

  async function printed(timeoutMilliseconds?: number): Promise<[kind: string, line: string][]> {
    const lines: [string, string][] = [];
    const progress = {
      step: (line: string) => void lines.push(['step', line]),
      warn: (line: string) => void lines.push(['warning', line]),
    };
    const { port } = worker.address() as AddressInfo;
    await reportIsolation(`http://127.0.0.1:${port}`, progress, timeoutMilliseconds);
    return lines;
  }
  const states = (facts: object) => {
    respond = (_request, response) => void response.end(JSON.stringify({ facts }));
  };

  it('is the level that the worker states, with a warning if it gives a reason', async () => {
    states({ extraction_isolation: 'namespaces' });
    expect(await printed()).toStrictEqual([['step', 'documents are read at namespaces']]);
    states({ extraction_isolation: 'process_only', extraction_isolation_reason: 'not permitted' });
    expect(await printed()).toStrictEqual([
      ['warning', expect.stringMatching(/^warning: documents are read at process_only, .*\(not permitted\)/)],
    ]);
  });

  it('is unknown if the worker does not respond in time', async () => {
    respond = () => {};
    expect(await printed(1)).toStrictEqual([['warning', expect.stringMatching(/^warning: isolation unknown: /)]]);
  });

  it('is left out for a process that has ended, whose crash is printed instead', async () => {
    respond = (request) => request.socket.destroy();
    expect(await printed()).toStrictEqual([]);
  });
});
