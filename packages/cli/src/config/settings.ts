// Where each setting comes from: an option, then the environment, the project, the user.
import type { Environment } from '../environment.config.js';
import { usageError } from '../exit-codes.js';
import { readProjectConfig } from './project-config.js';
import { readUserConfig, userConfigPath } from './user-config.js';

export interface GlobalOptions {
  profile?: string;
  url?: string;
}

export interface Setting {
  value: string | undefined;
  source: string;
}

export type Settings = Readonly<Record<'profile' | 'url' | 'space' | 'apiKey', Setting>>;

export const DEFAULT_URL = 'http://127.0.0.1:8080';
export const DEFAULT_PROFILE = 'default';

/** The first that is given. */
const first = (...settings: Setting[]): Setting =>
  settings.find(({ value }) => value !== undefined) ?? { value: undefined, source: '-' };

export async function readSettings(environment: Environment, options: GlobalOptions): Promise<Settings> {
  const { configDirectory, workingDirectory } = environment;
  const [project, user] = await Promise.all([readProjectConfig(workingDirectory), readUserConfig(configDirectory)]);
  const userPath = userConfigPath(configDirectory);
  const profile = first(
    { value: options.profile, source: '--profile' },
    { value: environment.profile, source: 'KILN_PROFILE' },
    { value: project?.profile, source: project?.path ?? '' },
    { value: user.current, source: userPath },
    { value: DEFAULT_PROFILE, source: 'default' },
  );
  const stored = Object.entries(user.profiles).find(([name]) => name === profile.value)?.[1];
  if (!stored && profile.source !== 'default' && profile.source !== userPath && environment.apiKey === undefined)
    throw usageError(`There is no profile '${profile.value}' (${profile.source}). Make it with: kiln login`);
  const url = first(
    { value: options.url, source: '--url' },
    { value: environment.url, source: 'KILN_URL' },
    { value: stored?.url, source: userPath },
    { value: DEFAULT_URL, source: 'default' },
  );
  return {
    profile,
    url,
    space: first(
      { value: environment.space, source: 'KILN_SPACE' },
      { value: project?.space, source: project?.path ?? '' },
      { value: stored?.space, source: userPath },
    ),
    apiKey: first(
      { value: environment.apiKey, source: 'KILN_API_KEY' },
      // A stored key is sent to the address that it was stored with, and to no other.
      { value: url.value === stored?.url ? stored?.apiKey : undefined, source: userPath },
    ),
  };
}
