// Random data that can be made again. Apart from the harness, so that unit specs need not load it.
export { randomNumbers } from './random-numbers.js';
export { randomCases, testSeed } from './seed.config.js';
