// An undici agent that connects only where the policy lets it.
import { Agent, type Dispatcher } from 'undici';
import { guardedConnector, type GuardedConnectOptions } from './guarded-connector.js';

export interface GuardedAgentOptions extends GuardedConnectOptions {
  /** Milliseconds an unused connection is kept. */
  keepAliveMs: number;
}

/** The caller keeps count of its own requests: each gets a connection of its own at once, none waits for another. */
export function createGuardedAgent(options: GuardedAgentOptions): Dispatcher {
  return new Agent({
    keepAliveTimeout: options.keepAliveMs,
    keepAliveMaxTimeout: options.keepAliveMs,
    // The caller has one deadline for the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    connect: guardedConnector(options),
  });
}
