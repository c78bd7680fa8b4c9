/**
 * The state of one remote engine, shared by all workers: its requests in progress, its rate, and its circuit. Pure: a state and a time make the
 * next state. Times are milliseconds of the database's clock.
 */

export interface EngineState {
  /** Requests in progress: when each began, and until when its worker counts as alive unless it renews. */
  calls: Record<string, { began_at: number; expires_at: number }>;
  /** When the next request may begin: each one takes its share of the minute. */
  next_at: number;
  /** The engine asked Kiln to pause until then. */
  paused_until: number;
  /** Consecutive failures. */
  failures: number;
  succeeded_at: number;
  /** How often the circuit has opened since it was closed. */
  times_opened: number;
  open_until: number;
  /** The probe: the request that shows whether the engine works again. */
  probe: string | null;
}

export const newEngine: EngineState = {
  calls: {},
  next_at: 0,
  paused_until: 0,
  failures: 0,
  succeeded_at: 0,
  times_opened: 0,
  open_until: 0,
  probe: null,
};

export interface EngineLimitSettings {
  concurrency: number;
  /** Null: no limit. */
  requestsPerMinute: number | null;
  circuit: { failuresMax: number; openMs: number; openMsMax: number };
}

export type Admission =
  | { kind: 'admitted' }
  /** The circuit is open. */
  | { kind: 'open'; afterMs: number }
  /** `afterMs` is null when all slots are in use, because the end of a request is not known. */
  | { kind: 'busy'; afterMs: number | null };

export const CALL_LEASE_MS = 30_000;

/** Removes the requests of dead workers from the state. */
export function withLiveCalls(state: EngineState, now: number): EngineState {
  const live = Object.entries(state.calls).filter(([, { expires_at: expiresAt }]) => expiresAt > now);
  const calls = Object.fromEntries(live);
  return { ...state, calls, probe: state.probe !== null && state.probe in calls ? state.probe : null };
}

/** Decides whether a request may begin. `state` must not contain requests of dead workers: see `withLiveCalls`. */
export function admit(
  state: EngineState,
  callId: string,
  now: number,
  { concurrency, requestsPerMinute, circuit }: EngineLimitSettings,
): { state: EngineState; admission: Admission } {
  const refused = (admission: Admission) => ({ state, admission });
  const isOpen = state.times_opened > 0;
  if (isOpen && now < state.open_until) return refused({ kind: 'open', afterMs: state.open_until - now });
  if (isOpen && state.probe !== null) return refused({ kind: 'open', afterMs: circuit.openMs });
  if (Object.keys(state.calls).length >= concurrency) return refused({ kind: 'busy', afterMs: null });
  const at = Math.max(state.paused_until, state.next_at);
  if (at > now) return refused({ kind: 'busy', afterMs: at - now });
  const spacing = requestsPerMinute === null ? 0 : 60_000 / requestsPerMinute;
  const calls = { ...state.calls, [callId]: { began_at: now, expires_at: now + CALL_LEASE_MS } };
  const next: EngineState = { ...state, calls, next_at: now + spacing, probe: isOpen ? callId : null };
  return { state: next, admission: { kind: 'admitted' } };
}

export interface EndedCall {
  kind: 'succeeded' | 'failed' | 'abandoned';
  pauseMs?: number;
}

/** Records how a request ended. If its worker counted as dead meanwhile, it changes nothing but the pause. */
export function end(
  state: EngineState,
  callId: string,
  now: number,
  { kind, pauseMs }: EndedCall,
  { circuit }: EngineLimitSettings,
): EngineState {
  const { [callId]: call, ...calls } = state.calls;
  const isProbe = state.probe === callId;
  const left: EngineState = { ...state, calls, probe: isProbe ? null : state.probe };
  if (pauseMs !== undefined) left.paused_until = Math.max(left.paused_until, now + pauseMs);
  if (call === undefined || kind === 'abandoned') return left;
  if (kind === 'succeeded') return { ...left, failures: 0, times_opened: 0, open_until: 0, succeeded_at: now };
  // Others succeeded meanwhile: this request is at fault, not the engine.
  if (left.succeeded_at > call.began_at) return left;
  const failures = left.failures + 1;
  const opens = isProbe || (left.times_opened === 0 && failures >= circuit.failuresMax);
  if (!opens) return { ...left, failures };
  const openMs = Math.min(circuit.openMs * 2 ** left.times_opened, circuit.openMsMax);
  return { ...left, failures, times_opened: left.times_opened + 1, open_until: now + openMs };
}

/** Records that the worker of these requests is alive. */
export function renew(state: EngineState, callIds: readonly string[], now: number): EngineState {
  const calls = { ...state.calls };
  for (const id of callIds) {
    const call = calls[id];
    if (call) calls[id] = { ...call, expires_at: now + CALL_LEASE_MS };
  }
  return { ...state, calls };
}
