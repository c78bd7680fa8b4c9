/**
 * The seed of property tests and fuzzers. The gate uses the same one each time, so that it fails only for what was changed. The stress step
 * sets `KILN_TEST_SEED`.
 */
export const testSeed: number = seedIn(process.env['KILN_TEST_SEED']);

function seedIn(value: string | undefined): number {
  if (value === undefined) return 1;
  const seed = Number(value);
  // Generators of numbers take a seed of 32 bits.
  if (value.trim() === '' || !Number.isInteger(seed) || Math.abs(seed) >= 2 ** 31)
    throw new RangeError(`KILN_TEST_SEED must be an integer of 32 bits, but is "${value}".`);
  return seed;
}
