// Node's own HTTP agents that connect only where the policy lets them: for libraries that speak HTTP by themselves and take an
// agent, as the SDKs of clouds do.
import { Agent as HttpAgent, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import type { buildConnector } from 'undici';
import { guardedConnector, type GuardedConnectOptions } from './guarded-connector.js';

export interface GuardedNodeAgentsOptions extends GuardedConnectOptions {
  /** Milliseconds an unused connection is kept. */
  keepAliveMs: number;
  /** Connections at a time to one host. */
  socketsMax: number;
}

export interface NodeAgents {
  http: HttpAgent;
  https: HttpsAgent;
}

type Connected = (error: Error | null, socket: Duplex) => void;

/** Destroy both when they are no longer needed. */
export function createGuardedNodeAgents(options: GuardedNodeAgentsOptions): NodeAgents {
  const connect = guardedConnector(options);
  const keeping = {
    keepAlive: true,
    maxSockets: options.socketsMax,
    timeout: options.keepAliveMs,
    scheduling: 'lifo',
  } as const;
  return { http: new GuardedHttpAgent(connect, keeping), https: new GuardedHttpsAgent(connect, keeping) };
}

class GuardedHttpAgent extends HttpAgent {
  constructor(
    private readonly connect: buildConnector.connector,
    options: ConstructorParameters<typeof HttpAgent>[0],
  ) {
    super(options);
  }

  override createConnection(target: ClientRequestArgs, connected: Connected): undefined {
    open(this.connect, 'http:', target, connected);
  }
}

class GuardedHttpsAgent extends HttpsAgent {
  constructor(
    private readonly connect: buildConnector.connector,
    options: ConstructorParameters<typeof HttpsAgent>[0],
  ) {
    super(options);
  }

  override createConnection(target: ClientRequestArgs, connected: Connected): undefined {
    open(this.connect, 'https:', target, connected);
  }
}

function open(
  connect: buildConnector.connector,
  protocol: 'http:' | 'https:',
  { host, hostname, port }: ClientRequestArgs,
  connected: Connected,
): void {
  const name = hostname ?? host ?? '';
  connect({ hostname: name, host: name, protocol, port: String(port ?? '') }, (error, socket) => {
    if (error) connected(error, undefined as unknown as Duplex);
    else connected(null, socket);
  });
}
