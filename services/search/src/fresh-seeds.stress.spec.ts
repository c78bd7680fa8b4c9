// The property tests and fuzzers of this service, with the seed of the run.
import './searching/domain/snippet.spec.js';
import './searching/domain/query-syntax.spec.js';
import './answering/domain/citations.spec.js';
import './answering/domain/join-chunks.spec.js';
