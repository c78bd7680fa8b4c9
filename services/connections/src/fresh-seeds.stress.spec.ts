// The property tests and fuzzers of this service, with the seed of the run.
import './nodes/domain/listed-nodes.spec.js';
import './syncs/domain/listing-validator.spec.js';
