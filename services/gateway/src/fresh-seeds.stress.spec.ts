// The property tests and fuzzers of this service, with the seed of the run.
import './upload/multipart.spec.js';
import './http/fuzz.int.spec.js';
