/** The environment of the mixed launcher. */

/** The folder of the other release, and the names of the processes that are started from it. */
export interface OtherRelease {
  readonly directory: string;
  readonly processes: readonly string[];
}

const DIRECTORY = 'KILN_TEST_OTHER_RELEASE';
const PROCESSES = 'KILN_TEST_OTHER_PROCESSES';

export function readOtherRelease(): OtherRelease {
  const { [DIRECTORY]: directory, [PROCESSES]: processes } = process.env;
  if (!directory || processes === undefined) throw new Error(`${DIRECTORY} and ${PROCESSES} are required`);
  return { directory, processes: processes.split(',') };
}

export const otherReleaseVariables = ({ directory, processes }: OtherRelease): Record<string, string> => ({
  [DIRECTORY]: directory,
  [PROCESSES]: processes.join(','),
});
