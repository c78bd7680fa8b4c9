/** A drill: a system, and the faults that it meets while callers use it. */
import type { RunningSystem } from '@kiln/dev/start-system';

export interface Drill {
  readonly name: string;
  /** The reason why this machine cannot run it. Null if it can. */
  readonly lacks: () => string | null;
  readonly prepare: () => Promise<Scene>;
}

export interface Scene {
  readonly system: RunningSystem;
  /** The host name by which the system reaches this machine. Default 127.0.0.1. */
  readonly host?: string;
  /** One after the other. The system is well between them. */
  readonly acts: readonly Act[];
  /** Stops everything that `prepare` has started. */
  readonly stop: () => Promise<void>;
}

export interface Act {
  /** As in the table. */
  readonly fault: string;
  /** Brings the fault about, lets it last by `hold`, and ends it. */
  readonly play: (hold: () => Promise<void>) => Promise<void>;
}

/** For drills that need no privileges. */
export const nothing = (): null => null;
