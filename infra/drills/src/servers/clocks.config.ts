/** The environment of the launcher whose processes have clocks of their own. */

/** What each process runs before its own code. */
export interface Clocks {
  /** The folder with an entry point for each service. */
  readonly directory: string;
}

const DIRECTORY = 'KILN_TEST_CLOCKS';

export function readClocks(): Clocks {
  const directory = process.env[DIRECTORY];
  if (!directory) throw new Error(`${DIRECTORY} is required`);
  return { directory };
}

export const clockVariables = ({ directory }: Clocks): Record<string, string> => ({ [DIRECTORY]: directory });
