/** Whether the run has a seed of its own, as the step `stress` gives it. */
export function hasOwnSeed(): boolean {
  return process.env['KILN_TEST_SEED'] !== undefined;
}
