// An undici agent that connects only to addresses that the policy allows.
import { Agent, type Dispatcher } from 'undici';
import { guardedConnector, type GuardedConnectOptions } from './guarded-connector.js';

export interface GuardedAgentOptions extends GuardedConnectOptions {
  /** How many milliseconds an idle connection stays open. */
  keepAliveMs: number;
}

/** The caller limits its own requests: each gets a connection at once, without waiting for another request. */
export function createGuardedAgent(options: GuardedAgentOptions): Dispatcher {
  return new Agent({
    keepAliveTimeout: options.keepAliveMs,
    keepAliveMaxTimeout: options.keepAliveMs,
    // The caller has one deadline for the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    connect: guardedConnector(options),
  });
}
