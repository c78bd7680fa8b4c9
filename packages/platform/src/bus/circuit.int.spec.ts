// Real: NATS, RpcClient and RpcServer, every operation of the contracts. Faked: what the operations do.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as contracts from '@kiln/contracts';
import { CodedError, errorKinds, type ErrorCode, type Operation } from '@kiln/contracts';
import { eventually, testNamespace, testNats } from '@kiln/testing';
import { z } from 'zod';
import { silentLogger } from '../fixtures/test-platform.js';
import { Metrics } from '../observability/metrics.js';
import { Circuits, NotSentError } from './circuit.js';
import { connectBus, type NatsConnection } from './connection.js';
import { pingSubject, rpcSubject } from './names.js';
import { RpcClient } from './rpc-client.js';
import { RpcServer } from './rpc-server.js';
import { ServicePing } from './service-ping.js';

const FAILURES_MAX = 2;

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'subject' in value && 'idempotent' in value;
/** All operations, with inputs and outputs that the test does not have to build. */
const operations: Operation[] = Object.values(contracts)
  .flatMap((group: unknown) => (typeof group === 'object' && group !== null ? Object.values(group) : []))
  .filter(isOperation)
  .map(({ revisionOf: _revisionOf, ...operation }) => ({
    ...operation,
    input: z.object({}),
    output: z.object({}),
    timeoutMs: 60_000,
  }));
const services = new Set(operations.map(({ subject }) => subject.split('.')[0] ?? ''));

describe('the circuits of a gateway', () => {
  let connection: NatsConnection;
  let servers: RpcServer[];
  let metrics: Metrics;
  let client: RpcClient;
  let namespace: string;
  let work: () => Promise<unknown>;

  beforeAll(async () => {
    connection = await connectBus({ url: await testNats(), name: 'test', logger: silentLogger });
  });
  /** A ping is answered at once, however busy the machine is, or never. */
  function startClient(pingTimeoutMs = 60_000): void {
    const ping = new ServicePing(connection, namespace, pingTimeoutMs);
    const circuits = new Circuits(metrics, ping, { failuresMax: FAILURES_MAX, pingPauseMs: 20 });
    client = new RpcClient(connection, namespace, circuits);
  }
  beforeEach(() => {
    namespace = testNamespace();
    metrics = new Metrics('gateway', 'all');
    startClient();
    servers = [...services].map((service) => {
      const server = new RpcServer({ connection, namespace, service, logger: silentLogger, metrics });
      for (const operation of operations) if (isOf(operation, service)) server.listen(operation, () => work());
      return server;
    });
  });
  afterAll(() => connection.close());

  const isOf = ({ subject }: Operation, service: string) => subject.startsWith(`${service}.`);
  const call = (operation: Operation, waitMs = 60_000) =>
    client.call(
      operation,
      {},
      {
        requestId: 'r1',
        tenantId: '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a10',
        mode: 'live',
        principal: 'key_1',
        deadlineAt: Date.now() + waitMs,
      },
    );
  const codeOf = (calling: Promise<unknown>) =>
    calling.then(
      () => 'none',
      (error: unknown) => (error instanceof CodedError ? error.code : 'other'),
    );
  async function allAreClosed(): Promise<void> {
    const text = await metrics.text();
    expect(text).not.toMatch(/kiln_circuit_state\{.*\} [^0]/);
    expect(text).not.toMatch(/kiln_circuit_refused_total\{.*\} [^0]/);
  }
  const stopServers = () => Promise.all(servers.map((server) => server.drain(1_000)));

  it('stay closed for every error code of every operation', async () => {
    for (const code of Object.keys(errorKinds) as ErrorCode[]) {
      work = () => Promise.reject(new CodedError(code, 'Refused.'));
      for (let time = 0; time <= FAILURES_MAX; time++) {
        const codes = await Promise.all(operations.map((operation) => codeOf(call(operation))));
        expect(codes).toHaveLength(operations.length);
        expect(codes).not.toContain('none');
      }
      await allAreClosed();
    }
    await stopServers();
  });

  it('stay closed when an operation takes longer than its caller waits', async () => {
    work = () => new Promise(() => {});
    for (let time = 0; time <= FAILURES_MAX; time++) {
      const codes = await Promise.all(operations.map((operation) => codeOf(call(operation, 1_000))));
      expect(new Set(codes)).toStrictEqual(new Set(['UNAVAILABLE']));
      await allAreClosed();
    }
    await stopServers();
  });

  it('open only for a service whose processes accept calls and never reply, and close when it replies again', async () => {
    const [dead] = operations;
    if (!dead) throw new Error('no dead');
    const service = dead.subject.split('.')[0] ?? '';
    work = async () => ({});
    startClient(1_000);
    const [stopped] = servers.filter((_server, index) => [...services][index] === service);
    await stopped?.drain(1_000);
    const subjects = [rpcSubject(namespace, `${service}.>`), pingSubject(namespace, service)];
    const silent = subjects.map((subject) => connection.subscribe(subject, { queue: service, callback: () => {} }));
    const isOpen = async () =>
      new RegExp(`kiln_circuit_state\\{service="${service}",.*\\} 1`).test(await metrics.text());
    // On a busy machine a call may expire before it is sent, and then says nothing about the service.
    await eventually(async () => {
      await codeOf(call(dead, 50));
      return isOpen();
    });
    const error: unknown = await call(dead).catch((thrown: unknown) => thrown);
    // Rejected at once.
    expect(error).toMatchObject({ code: 'UNAVAILABLE', cause: expect.any(NotSentError) });
    for (const operation of operations)
      if (!isOf(operation, service)) expect(await codeOf(call(operation))).toBe('none');

    for (const subscription of silent) subscription.unsubscribe();
    const back = new RpcServer({ connection, namespace, service, logger: silentLogger, metrics });
    back.listen(dead, () => work());
    await eventually(async () => (await codeOf(call(dead))) === 'none');
    servers.push(back);
    await stopServers();
  });
});
