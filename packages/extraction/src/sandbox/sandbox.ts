/**
 * A few warm child processes that read untrusted documents. A document may kill its child, never the process that
 * called: the caller gets an error, and the next document gets a new child.
 */
import { documentKindOf } from '../content-type.js';
import { ChildPool } from './child-pool.js';
import type { Sandbox, SandboxOptions } from './sandbox-options.js';

export function createSandbox(options: SandboxOptions): Sandbox {
  return createSandboxOf(
    options,
    new URL('./child.js', import.meta.url),
    (contentType) => documentKindOf(contentType) !== null,
  );
}

/** For tests: the same sandbox around another child. */
export function createSandboxOf(
  options: SandboxOptions,
  module: URL,
  supports: (contentType: string) => boolean,
): Sandbox {
  return new ChildPool(options, module, supports);
}
