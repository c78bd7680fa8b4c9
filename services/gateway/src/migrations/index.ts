import type { MigrationClass } from '@kiln/platform';
import { CreateGateway1795251600000 } from './1795251600000-create-gateway.js';
import { AddBranding1795996800000 } from './1795996800000-add-branding.js';
import { AddSignInCodes1796083200000 } from './1796083200000-add-sign-in-codes.js';
import { AddFrameAncestors1796180000000 } from './1796180000000-add-frame-ancestors.js';

/** In the order in which they run. */
export const migrations: readonly MigrationClass[] = [
  CreateGateway1795251600000,
  AddBranding1795996800000,
  AddSignInCodes1796083200000,
  AddFrameAncestors1796180000000,
];
