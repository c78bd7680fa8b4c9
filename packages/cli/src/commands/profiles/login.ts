import { DEFAULT_PROFILE, DEFAULT_URL } from '../../config/settings.js';
import { readUserConfig, userConfigPath, writeUserConfig } from '../../config/user-config.js';
import type { Context, Define } from '../../context.js';
import { CommandFailure, usageError } from '../../exit-codes.js';
import { cleanLine } from '../../terminal/clean.js';
import { note } from '../options.js';

interface Options {
  space?: string;
}

export const define: Define = (command, use) =>
  void command
    .option('--space <name>', 'the space to use with this profile')
    .addHelpText(
      'after',
      note(
        'The key is never an option, because other users see those. It is read from KILN_API_KEY, from a pipe (kiln login < key-file), or asked for. --profile and --url say where it belongs.',
      ),
    )
    .action(use(login));

async function login(context: Context, { space }: Options): Promise<void> {
  const { environment, globals, terminal } = context;
  const user = await readUserConfig(environment.configDirectory);
  const name = globals.profile ?? environment.profile ?? user.current ?? DEFAULT_PROFILE;
  const stored = Object.entries(user.profiles).find(([one]) => one === name)?.[1];
  const url = globals.url ?? environment.url ?? stored?.url ?? DEFAULT_URL;
  const apiKey = environment.apiKey ?? (terminal.isInteractive ? await ask(url) : await piped(context));
  const me = await (await context.connect(url, apiKey)).organization.getMe({ signal: context.signal });
  const chosen = space ?? stored?.space;
  await writeUserConfig(environment.configDirectory, {
    ...user,
    current: name,
    profiles: { ...user.profiles, [name]: { url, apiKey, ...(chosen !== undefined && { space: chosen }) } },
  });
  context.talk(`Logged in to ${url} as '${cleanLine(me.key_name)}' of ${me.org_id}.`);
  context.talk(`Profile '${name}' is saved in ${userConfigPath(environment.configDirectory)}.`);
  if (isUnsafe(url)) context.talk('Warning: this address is not encrypted, so others on the network can read the key.');
}

async function piped({ terminal }: Context): Promise<string> {
  const key = (await terminal.readInput()).trim();
  if (key === '') throw usageError('There is no key. Set KILN_API_KEY, or run: kiln login < key-file');
  return key;
}

async function ask(url: string): Promise<string> {
  const { isCancel, password } = await import('@clack/prompts');
  const key = await password({ message: `API key for ${url}`, output: process.stderr });
  if (isCancel(key)) throw new CommandFailure('interrupted');
  if (!key) throw usageError('There is no key.');
  return key.trim();
}

const isUnsafe = (url: string) => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
};
