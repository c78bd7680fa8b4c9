// Agents that open the connections of an SDK, for example to allowed addresses only.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

export interface HttpAgents {
  http: HttpAgent;
  https: HttpsAgent;
}

export const agentFor = (agents: HttpAgents, { protocol }: { protocol: string | null }): HttpAgent =>
  protocol === 'http:' ? agents.http : agents.https;

/** Agents that keep connections open between requests, until they are destroyed. */
export const keepAliveAgents = (): HttpAgents => ({
  http: new HttpAgent({ keepAlive: true }),
  https: new HttpsAgent({ keepAlive: true }),
});
