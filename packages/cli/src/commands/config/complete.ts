import type { Define } from '../../context.js';
import { usageError } from '../../exit-codes.js';

/** Only for the help of the program: `addCompletion` replaces the command when it is used. */
export const define: Define = (command) =>
  void command.argument('<shell>', 'zsh, bash, fish or powershell').action(() => {
    throw usageError('Name a shell: kiln complete zsh');
  });
