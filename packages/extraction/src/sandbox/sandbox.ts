/**
 * Reads untrusted documents in child processes. A document can crash only its child: the caller gets an error, and the next
 * document gets a new child.
 */
import { ChildPool } from './child-pool.js';
import type { findIsolation } from './isolation.js';
import { isReadable } from './readable-types.js';
import type { Sandbox, SandboxOptions } from './sandbox-options.js';

export function createSandbox(options: SandboxOptions): Sandbox {
  return createSandboxOf(options, new URL('./child.js', import.meta.url), isReadable);
}

/** A sandbox that runs another module in its children, or in another isolation. For tests. */
export function createSandboxOf(
  options: SandboxOptions,
  module: URL,
  supports: (contentType: string) => boolean,
  find?: typeof findIsolation,
): Sandbox {
  return new ChildPool(options, module, supports, find);
}
