// Who opens the connections of an SDK, when it shall not be the SDK itself: agents that connect to certain addresses only, say.
import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';

export interface HttpAgents {
  http: HttpAgent;
  https: HttpsAgent;
}

export const agentFor = (agents: HttpAgents, { protocol }: { protocol: string | null }): HttpAgent =>
  protocol === 'http:' ? agents.http : agents.https;
