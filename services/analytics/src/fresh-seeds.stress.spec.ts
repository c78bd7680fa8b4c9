// The property tests and fuzzers of this service, with the seed of the run.
import './facts/randomized.int.spec.js';
