import { readUserConfig, writeUserConfig } from '../../config/user-config.js';
import type { Context, Define } from '../../context.js';
import { usageError } from '../../exit-codes.js';

export const define: Define = (command, use) => void command.action(use(logout));

async function logout(context: Context): Promise<void> {
  const { configDirectory } = context.environment;
  const name = (await context.settings()).profile.value ?? '';
  const { current, profiles, ...rest } = await readUserConfig(configDirectory);
  if (!(name in profiles)) throw usageError(`There is no profile '${name}'.`);
  const { [name]: _removed, ...left } = profiles;
  await writeUserConfig(configDirectory, {
    ...rest,
    ...(current !== undefined && current !== name && { current }),
    profiles: left,
  });
  context.talk(`Profile '${name}' and its key are removed from this computer. To revoke the key: kiln keys rm`);
}
