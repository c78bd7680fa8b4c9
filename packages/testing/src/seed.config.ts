/** The seed of property tests and fuzzers: always the same in the gate, another one in each run of the step `stress`. */
export const testSeed = (): number => Number(process.env['KILN_TEST_SEED'] ?? 1);
