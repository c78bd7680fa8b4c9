// The space that a tool may read.
import { CodedError } from '@kiln/contracts';
import type { Caller } from '../auth/caller.domain.js';

/** Throws FORBIDDEN when `asked` is not the space of the portal token. */
export function spaceFor(caller: Caller, asked: string | undefined): { space?: string } {
  if (caller.authType !== 'portal_token') return asked === undefined ? {} : { space: asked };
  if (asked !== undefined && asked !== caller.space) {
    throw new CodedError('FORBIDDEN', `The portal token opens the space ${caller.space} only. Leave out space.`);
  }
  return { space: caller.space };
}
