// The list of rules: the API replaces it as a whole.
import type { Schemas } from '@kiln/sdk';

export type Rule = Schemas['GetRoutingRulesResponse']['rules'][number];

/** In the order in which the API applies them: exact types, then wildcards, the longest first. */
export const inOrder = (rules: readonly Rule[]): Rule[] =>
  [...rules].sort(
    ({ content_type: one }, { content_type: other }) =>
      Number(isWildcard(one)) - Number(isWildcard(other)) ||
      (isWildcard(one) ? other.length - one.length : 0) ||
      one.localeCompare(other),
  );

const isWildcard = (type: string): boolean => type.endsWith('*');

/** With the rule in place of that for `replaced`, or at the end. */
export function withRule(rules: readonly Rule[], replaced: string | null, rule: Rule): Rule[] {
  const at = rules.findIndex(({ content_type: type }) => type === replaced);
  return at === -1 ? [...rules, rule] : rules.with(at, rule);
}

export const withoutRule = (rules: readonly Rule[], type: string): Rule[] =>
  rules.filter((rule) => rule.content_type !== type);

/** What a rule applies to, for people. */
export function reachOf(type: string): string {
  if (type === '*/*') return 'All files that no other rule matches';
  return isWildcard(type) ? `Types that begin with ${type.slice(0, -1)}` : 'This type only';
}
