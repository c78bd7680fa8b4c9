/**
 * The seed of property tests and fuzzers. The gate uses the same one each time, so that it fails only for what was changed. The step
 * `stress` sets `KILN_TEST_SEED`. Throws a RangeError if that is no integer of 32 bits.
 */
export function testSeed(): number {
  const value = process.env['KILN_TEST_SEED'];
  if (value === undefined) return 1;
  const seed = Number(value);
  if (value.trim() === '' || !Number.isInteger(seed) || Math.abs(seed) >= 2 ** 31)
    throw new RangeError(`KILN_TEST_SEED must be an integer of 32 bits, but is "${value}".`);
  return seed;
}

/** The number of random cases: few in the gate, more in the step `stress`. */
export const randomCases = ({ gate, stress }: { gate: number; stress: number }): number =>
  process.env['KILN_TEST_SEED'] === undefined ? gate : stress;
