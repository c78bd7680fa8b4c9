// Real: HTTP on loopback. Faked: the model.
import { afterEach, describe, expect, it } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { Agent, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { InferenceQueue, type RunBatch } from './inference-queue.js';
import { createModelServer, type ServedModel } from './model-server.js';

/** A model with a batch for each text. A batch emits `begun`, and ends when the spec says so. */
class FakeModel extends EventEmitter implements ServedModel {
  readonly manifest = { name: 'fake', kind: 'embedding' as const, graph: '', tokensMax: 8, files: {} };
  readonly begun: string[] = [];
  endBatch = () => {};

  async embed(texts: readonly string[], runBatch: RunBatch) {
    const vectors: Float32Array[] = [];
    for (const text of texts) vectors.push(await runBatch(() => this.batch(text)));
    return { vectors, tokens: 0 };
  }

  rerank() {
    return Promise.resolve([]);
  }

  private batch(text: string): Promise<Float32Array> {
    this.begun.push(text);
    return new Promise((resolve) => {
      this.endBatch = () => resolve(new Float32Array(1));
      this.emit('begun');
    });
  }
}

describe('the server of models', () => {
  const agent = new Agent({ keepAlive: true });
  let model: FakeModel;
  let server: Server;
  /** Emits `worked`. */
  let work: EventEmitter;
  afterEach(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });

  /** Returns a request whose first batch has begun, and its connection at the server. */
  async function ask(input: readonly string[]) {
    model = new FakeModel();
    work = new EventEmitter();
    const parts = { models: [model], queue: new InferenceQueue(8), afterWork: () => void work.emit('worked') };
    server = createModelServer(parts);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const [begun, connected] = [once(model, 'begun'), once(server, 'connection')];
    const { port } = server.address() as AddressInfo;
    const asked = request({ port, host: '127.0.0.1', agent, method: 'POST', path: '/v1/embeddings' });
    asked.end(JSON.stringify({ input }));
    await begun;
    const [socket] = (await connected) as [Socket];
    return { asked, socket };
  }

  it('closes a connection with its response once it stops, so that no client keeps it from ending', async () => {
    const { asked } = await ask(['one']);
    const closed = once(server, 'close');
    server.close();
    const answered = once(asked, 'response');
    model.endBatch();
    const [response] = (await answered) as [IncomingMessage];
    expect([response.statusCode, response.headers.connection]).toStrictEqual([200, 'close']);
    response.resume();
    await closed;
  });

  it('computes no further batch for a client that has gone', async () => {
    const { asked, socket } = await ask(['one', 'two']);
    const closed = once(socket, 'close');
    asked.on('error', () => {}).destroy();
    await closed;
    const next = Promise.race([once(work, 'worked'), once(model, 'begun')]);
    model.endBatch();
    await next;
    expect(model.begun).toStrictEqual(['one']);
  });
});
