import { readUserConfig, writeUserConfig } from '../../config/user-config.js';
import type { Context, Define } from '../../context.js';
import { usageError } from '../../exit-codes.js';

export const define: Define = (command, use) =>
  void command.argument('<profile>', 'the name of a saved profile').action(use(choose));

async function choose(context: Context, name: string): Promise<void> {
  const { configDirectory } = context.environment;
  const user = await readUserConfig(configDirectory);
  const names = Object.keys(user.profiles);
  if (!names.includes(name)) throw usageError(`There is no profile '${name}'. Profiles: ${names.join(', ') || 'none'}`);
  await writeUserConfig(configDirectory, { ...user, current: name });
  context.talk(`Profile '${name}' is used from now on.`);
}
