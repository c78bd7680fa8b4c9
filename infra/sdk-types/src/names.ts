// The names of the methods: `listFiles` with the tag `Files` becomes `kiln.files.list`. Exceptions are listed.
import type { DocumentedOperation } from './open-api.js';

export interface MethodName {
  /** The property of the client: `files`. */
  resource: string;
  method: string;
}

/** Where an operation belongs, if its tag does not say it, and how it is named, if its id does not say it. */
const exceptions: Readonly<Record<string, MethodName>> = {
  upload: { resource: 'files', method: 'createUpload' },
  uploadBatch: { resource: 'batches', method: 'create' },
  deleteFiles: { resource: 'files', method: 'deleteMany' },
  processBatch: { resource: 'files', method: 'processMany' },
  cancelJobs: { resource: 'jobs', method: 'cancelMany' },
  retryJobs: { resource: 'jobs', method: 'retryMany' },
  receiveExtractionResult: { resource: 'extractions', method: 'sendResult' },
  search: { resource: 'search', method: 'query' },
  answerQuestion: { resource: 'search', method: 'ask' },
  answerPortalQuestion: { resource: 'portal', method: 'ask' },
  listRequests: { resource: 'requestLog', method: 'list' },
};

/** The page of documentation, and what signed URLs return: no methods. */
export const withoutMethod: ReadonlySet<string> = new Set([
  'getOpenApi',
  'getDocs',
  'getDocsAsset',
  'getVariantContent',
]);

export function methodNameOf({ operationId, tags: [tag = ''] }: DocumentedOperation): MethodName {
  const exception = exceptions[operationId];
  if (exception) return exception;
  const resource = camelCase(tag);
  const nouns = [resource, singularOf(resource)].map(capitalized);
  const noun = nouns.find((name) => operationId.includes(name));
  const method = noun === undefined ? operationId : operationId.replace(noun, '');
  return { resource, method };
}

export const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** `requestLog` becomes `request-log`. */
export const kebabCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `API keys` becomes `apiKeys`. */
const camelCase = (tag: string): string =>
  tag
    .split(/\W+/)
    .map((word, at) => (at === 0 ? word.toLowerCase() : capitalized(word.toLowerCase())))
    .join('');

const singularOf = (plural: string): string => plural.replace(/(?:(?<=ch|sh|x)es|s)$/, '');
