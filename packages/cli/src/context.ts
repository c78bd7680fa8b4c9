// What a command can use.
import type { Kiln } from '@kiln/sdk';
import type { Command } from 'commander';
import type { GlobalOptions, Settings } from './config/settings.js';
import type { Environment } from './environment.config.js';
import type { Column } from './terminal/table.js';
import type { Output, OutputOptions } from './terminal/output.js';
import type { Terminal } from './terminal/terminal.js';

export interface Context {
  terminal: Terminal;
  environment: Environment;
  /** Is aborted by Ctrl-C. */
  signal: AbortSignal;
  globals: GlobalOptions;
  now(): Date;
  settings(): Promise<Settings>;
  /** Throws an auth failure without a key. */
  kiln(): Promise<Kiln>;
  connect(url: string, apiKey: string): Promise<Kiln>;
  output(columns: readonly Column[], options: OutputOptions): Output;
  /** A line for people, on stderr. */
  talk(line: string): void;
}

/** Gives an action its context. */
export type Use = <Arguments extends unknown[]>(
  action: (context: Context, ...given: Arguments) => Promise<void>,
) => (...given: Arguments) => Promise<void>;

/** Adds arguments, options and the action to a command. Every module in `commands` exports one. */
export type Define = (command: Command, use: Use) => void;
