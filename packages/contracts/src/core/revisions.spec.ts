// What a service of release 0.2 does not know in the inputs of operations, and would ignore.
import { expect, it } from '@jest/globals';
import { connectionsOperations } from '../connections/operations.js';
import { filesOperations } from '../files/operations.js';
import { settingsOperations } from '../jobs/settings.js';
import { searchOperations } from '../search/operations.js';
import type { Operation } from './operation.js';

const filter = { space: { eq: 'mine' } };
const id = 'file_01h455vb4pex5vsknk084sn02q';
const { listFiles, findExistingFiles, processNode } = filesOperations;
const made = { file_id: id, job_id: 'job_01h455vb4pex5vsknk084sn02q', processing: { variants: [] } };
const { search, answer } = searchOperations;
const { createConnection, updateConnection } = connectionsOperations;
const { updateSettings } = settingsOperations;
const question = { question: 'Where?', top_k: 5 };

it.each<[Operation, object]>([
  [listFiles, {}],
  [listFiles, { search: 'clay', metadata: { a: 'b' } }],
  [findExistingFiles, { file_ids: [id] }],
  // An answer without details shows fewer fields.
  [findExistingFiles, { file_ids: [id], details: { metadata_bytes_max: 1 } }],
  [processNode, { ...made, node: { space: 'default' } }],
  [search, { query: 'clay' }],
  [search, { query: 'clay', group: 'file', rerank: false, space: 'mine', metadata: { a: 'b' }, limit: 5 }],
  [answer, question],
  [answer, { ...question, space: 'mine', filter: undefined }],
  [updateSettings, { search_language: 'german' }],
  [createConnection, { provider: 's3', name: 'Contracts', bucket: 'acme', pages_limit: 5 }],
  [updateConnection, { name: 'Contracts' }],
])('release 0.2 answers %p with %p as this one does', ({ subject, revisionOf }, input) => {
  expect([subject, revisionOf?.(input)]).toStrictEqual([subject, 1]);
});

it.each<[Operation, object]>([
  [listFiles, { filter }],
  [findExistingFiles, { file_ids: [id], filter }],
  [processNode, { ...made, node: { space: 'mine' } }],
  [search, { query: 'clay', filter }],
  [search, { query: 'clay', group: 'chunk' }],
  [search, { query: 'clay', hybrid: { weight: 1 } }],
  [search, { query: 'clay', recency: { half_life_days: 1 } }],
  [search, { query: 'clay', rerank: true }],
  [answer, { ...question, filter }],
  [answer, { ...question, history: [] }],
  [answer, { ...question, model: 'other' }],
  [answer, { ...question, content_type: 'text/plain' }],
  [updateSettings, { answer_instructions: null }],
  [createConnection, { provider: 's3', name: 'Contracts', bucket: 'acme', auto_process: true }],
  [updateConnection, { sync_interval_minutes: null }],
  [updateConnection, { include: [] }],
  [updateConnection, { notifications: null }],
])('release 0.2 does not know all of %p with %p', ({ subject, revision, revisionOf }, input) => {
  expect([subject, revision, revisionOf?.(input)]).toStrictEqual([subject, 2, 2]);
});
