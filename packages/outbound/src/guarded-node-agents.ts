// Node's HTTP agents that connect only to addresses that the policy allows, for libraries that accept an agent, such as the SDKs of cloud
// providers.
import { Agent as HttpAgent, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import type { buildConnector } from 'undici';
import { guardedConnector, type GuardedConnectOptions } from './guarded-connector.js';

export interface GuardedNodeAgentsOptions extends GuardedConnectOptions {
  /** How many milliseconds an idle connection stays open. */
  keepAliveMs: number;
  /** The most concurrent connections to one host. */
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
  return {
    http: guarded(new HttpAgent(keeping), connect, 'http:'),
    https: guarded(new HttpsAgent(keeping), connect, 'https:'),
  };
}

function guarded<NodeAgent extends HttpAgent>(
  agent: NodeAgent,
  connect: buildConnector.connector,
  protocol: 'http:' | 'https:',
): NodeAgent {
  agent.createConnection = (target: ClientRequestArgs, connected: Connected) => {
    open(connect, protocol, target, connected);
    return undefined;
  };
  return agent;
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
