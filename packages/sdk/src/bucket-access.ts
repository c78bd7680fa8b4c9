// Policies, commands and CORS rules that give Kiln access to a bucket, to be copied. They permit what Kiln does in the bucket, and no more.
import type { AccessOptions, AccessText } from './access/access-options.js';
import { corsRules } from './access/cors-rules.js';
import { iamPolicies } from './access/iam-policies.js';
import { identityPool } from './access/identity-pool.js';
import { inventorySetup } from './access/inventory-setup.js';
import { notificationSetup } from './access/notification-setup.js';
import { azureRoles, azureSignature, backblazeKey, googleRole, r2Token, spacesKey } from './access/provider-access.js';

export type { AccessOptions, AccessText, BucketCredentialKind, BucketProvider } from './access/access-options.js';

/** The texts for a provider, in the order in which they are used. */
export const accessTexts = (options: AccessOptions): AccessText[] => [
  ...rightsOf(options),
  ...notificationSetup(options),
  ...inventorySetup(options),
  ...corsRules(options),
];

/** A key of Supabase, and a key of an account at Azure, have all rights: no text limits them. */
function rightsOf(options: AccessOptions): AccessText[] {
  switch (options.provider) {
    case 's3':
    case 'selfhost_s3':
    case 'hot_store':
      return iamPolicies(options);
    case 'gcs':
      return options.kind === 'workloadIdentity'
        ? [googleRole(options), ...identityPool(options)]
        : [googleRole(options)];
    case 'container_blob':
      if (options.kind === 'sharedAccessSignature') return [azureSignature(options)];
      return options.kind === 'servicePrincipal' ? [azureRoles(options)] : [];
    case 'b2':
      return [backblazeKey(options)];
    case 'r2':
      return [r2Token(options)];
    case 'spaces_store':
      return [spacesKey(options)];
    case 'backend_storage':
      return [];
  }
}
