/**
 * Changes since the last release that its processes do not understand, and why a rollout is correct nevertheless. A release starts with an
 * empty list.
 */
export interface AcceptedChanges {
  readonly reason: string;
  /** As `compareContracts` writes them. */
  readonly changes: readonly string[];
}

const notSent = (...paths: string[]): string[] =>
  paths.map((path) => `${path} is required, and the release before does not always send it`);
const ignored = (...paths: string[]): string[] =>
  paths.map((path) => `${path} is ignored by the release before: raise the revision of the operation`);

export const acceptedChanges: readonly AcceptedChanges[] = [
  {
    reason: 'The gateway passes the answer on. Callers of the API see the field when the service has this release.',
    changes: notSent(
      'files.createFile.v1 output.external_id',
      'files.createUpload.v1 output.external_id',
      'files.createUploads.v1 output.files[].external_id',
      'files.getFile.v1 output.external_id',
      'files.listFiles.v1 output.files[].external_id',
      'jobs.updateSettings.v1 output.answer_instructions',
      'search.answer.v1 output.sources[].regions',
      'search.answer.v1 output.citations',
      'search.answer.v1 output.omitted_statements',
      'search.answer.v1 output.model',
      'search.answer.v1 output.usage',
      'webhooks.createWebhook.v1 output.spaces',
      'webhooks.getDelivery.v1 output.payload',
      'webhooks.getWebhook.v1 output.spaces',
      'webhooks.listWebhooks.v1 output.webhooks[].spaces',
      'webhooks.listWebhooks.v1 output.next_cursor',
      'webhooks.updateWebhook.v1 output.spaces',
    ),
  },
  {
    reason: 'The answer service takes an absent value for none.',
    changes: notSent('jobs.getSettings.v1 output.answer_instructions'),
  },
  {
    reason: 'The gateway takes an absent value for none: a batch ends as in the release before.',
    changes: notSent('files.getBatch.v1 output.rest'),
  },
  {
    reason: 'A worker takes an absent value for none: files of the release before have no external id.',
    changes: notSent('files.beginRuns.v1 output.runs[].file.external_id'),
  },
  {
    reason: 'Limits of a plan that a sync learns when it starts. The next sync has them.',
    changes: ignored('connections.startSync.v1 input.pages_limit', 'connections.startSync.v1 input.nodes_limit'),
  },
  {
    reason:
      'Citations of a file that was indexed by the release before have no place on the page until it is processed again.',
    changes: ignored('search.indexFiles.v1 input.files[].chunks[].lines'),
  },
];
