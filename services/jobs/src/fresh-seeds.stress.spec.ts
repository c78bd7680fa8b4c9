// The property tests and fuzzers of this service, with the seed of the run.
import './queue/engines/domain/engine-state.spec.js';
import './queue/job-engine.int.spec.js';
import './queue/runs/domain/failure.spec.js';
import './organization/policies/organization-policies.int.spec.js';
