// What the command reads of its environment.
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Environment {
  apiKey: string | undefined;
  url: string | undefined;
  profile: string | undefined;
  space: string | undefined;
  webhookSecret: string | undefined;
  /** https://no-color.org, or a terminal without colors. */
  isColorless: boolean;
  /** Holds `config.json`. */
  configDirectory: string;
  workingDirectory: string;
}

/** An empty variable counts as absent. */
const read = (name: string): string | undefined => process.env[name] || undefined;

export const readEnvironment = (): Environment => ({
  apiKey: read('KILN_API_KEY'),
  url: read('KILN_URL'),
  profile: read('KILN_PROFILE'),
  space: read('KILN_SPACE'),
  webhookSecret: read('KILN_WEBHOOK_SECRET'),
  isColorless: read('NO_COLOR') !== undefined || read('TERM') === 'dumb',
  configDirectory: read('KILN_CONFIG_DIR') ?? join(systemConfigDirectory(), 'kiln'),
  workingDirectory: process.cwd(),
});

function systemConfigDirectory(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  if (process.platform === 'win32') return read('APPDATA') ?? join(homedir(), 'AppData', 'Roaming');
  return read('XDG_CONFIG_HOME') ?? join(homedir(), '.config');
}
