import type { Kiln } from '@kiln/sdk';
import type { Context } from './context.js';
import { readSettings, type GlobalOptions, type Settings } from './config/settings.js';
import { CommandFailure, usageError } from './exit-codes.js';
import { Output } from './terminal/output.js';

export interface Surroundings extends Pick<Context, 'terminal' | 'environment' | 'signal'> {
  /** Default: the clock. */
  now?: () => Date;
  /** Default: a client of the SDK. */
  connect?: Context['connect'];
}

export function contextOf(surroundings: Surroundings, globals: GlobalOptions): Context {
  const { terminal, environment, signal, now = () => new Date(), connect = connectByUrl } = surroundings;
  let settings: Promise<Settings> | undefined;
  const settingsOnce = () => (settings ??= readSettings(environment, globals));
  return {
    terminal,
    environment,
    signal,
    globals,
    now,
    connect,
    settings: settingsOnce,
    kiln: async () => {
      const { url, apiKey } = await settingsOnce();
      if (apiKey.value === undefined || url.value === undefined)
        throw new CommandFailure('auth', `There is no key for ${url.value}. Log in with: kiln login`);
      return connect(url.value, apiKey.value);
    },
    output: (columns, options) => new Output(terminal, columns, options, now()),
    talk: (line) => terminal.err.write(`${line}\n`),
  };
}

async function connectByUrl(baseUrl: string, apiKey: string): Promise<Kiln> {
  const { Kiln } = await import('@kiln/sdk');
  try {
    return new Kiln({ baseUrl, apiKey });
  } catch (error) {
    throw error instanceof TypeError ? usageError(error.message) : error;
  }
}
