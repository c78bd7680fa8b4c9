// Every table of this service.
import { IdempotentRequestEntity } from './idempotency/idempotent-request.entity.js';
import { ApiKeyEntity } from './keys/api-key.entity.js';
import { OrganizationEntity } from './organizations/organization.entity.js';
import { PortalTokenEntity } from './portal/portal-token.entity.js';
import { SignInCodeEntity } from './sign-in/sign-in-code.entity.js';

export const entities = [
  OrganizationEntity,
  ApiKeyEntity,
  PortalTokenEntity,
  SignInCodeEntity,
  IdempotentRequestEntity,
];
