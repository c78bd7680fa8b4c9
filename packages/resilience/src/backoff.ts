// Waits that grow with the number of failures, in the unit of `first`.
export interface Backoff {
  /** The wait after the first failure. */
  first: number;
  max: number;
  /** The factor of each further failure. Default 2. */
  growth?: number;
}

/** `earlier`: the failures before the one that is waited for now. */
export function backoff({ first, max, growth = 2 }: Backoff, earlier: number): number {
  return Math.min(max, first * growth ** earlier);
}

/**
 * A random wait up to `longest`, so that those who failed together do not return together:
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function fullJitter(longest: number, random: () => number = Math.random): number {
  return random() * longest;
}
