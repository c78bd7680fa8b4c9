// The property tests and fuzzers of this service, with the seed of the run.
import './sending/domain/retry-schedule.spec.js';
