// The property tests and fuzzers of this service, with the seed of the run.
import './connections/domain/node-filename.spec.js';
