import type { Schemas } from '../core/operation-types.js';

export type BucketProvider = Schemas['Connection']['provider'];
export type BucketCredentialKind =
  | 'role'
  | 'accessKey'
  | 'serviceAccount'
  | 'workloadIdentity'
  | 'servicePrincipal'
  | 'accountKey'
  | 'sharedAccessSignature';

/** What a text must contain. A placeholder such as `<bucket>` replaces an empty string. */
export interface AccessOptions {
  provider: BucketProvider;
  kind: BucketCredentialKind;
  bucket: string;
  /** Kiln gets access to keys that start with it. Empty: all. */
  prefix: string;
  endpoint: string;
  /** The storage account, at Azure. */
  account: string;
  /** Whether files are uploaded into the bucket through Kiln. */
  mayUpload: boolean;
  /** `role_arn` and `external_id` of the response of `POST /v1/connections/start`. */
  roleArn: string | undefined;
  externalId: string | undefined;
  /** `issuer`, `subject` and `jwks` of the same response. Undefined: the operator has configured no issuer. */
  identity?: { issuer: string; subject: string; jwks: object } | undefined;
  /**
   * For notifications: the URL of the SQS queue, the Pub/Sub subscription, or the name of the storage queue. Undefined: none. Empty: one that is to
   * be created.
   */
  queue?: string | undefined;
  /** For inventories of Amazon S3: where they are stored. Undefined: none. An empty text: one that is to be created. */
  inventory?: { bucket: string; prefix: string } | undefined;
}

/** A policy or rules as JSON, or shell commands. */
export interface AccessText {
  title: string;
  about: string;
  text: string;
}

export const json = (value: unknown): string => JSON.stringify(value, null, 2);
export const named = (value: string, placeholder: string): string =>
  value.trim() === '' ? `<${placeholder}>` : value.trim();
