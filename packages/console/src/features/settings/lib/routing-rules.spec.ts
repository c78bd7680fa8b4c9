import { describe, expect, it } from '@jest/globals';
import { inOrder, reachOf, withoutRule, withRule, type Rule } from './routing-rules.js';

const rule = (type: string, provider: Rule['provider'] = 'image_extractor'): Rule => ({ content_type: type, provider });
const typesOf = (rules: readonly Rule[]) => rules.map(({ content_type: type }) => type);

describe('routing rules', () => {
  it('are shown as they apply: exact types, then wildcards, the longest first', () => {
    const rules = ['*/*', 'image/*', 'text/csv', 'image/x-*', 'application/pdf'].map((type) => rule(type));
    expect(typesOf(inOrder(rules))).toStrictEqual(['application/pdf', 'text/csv', 'image/x-*', 'image/*', '*/*']);
  });

  it('are added, replaced and removed by their type', () => {
    const rules = [rule('image/*'), rule('text/csv')];
    expect(typesOf(withRule(rules, null, rule('audio/*')))).toStrictEqual(['image/*', 'text/csv', 'audio/*']);
    expect(typesOf(withRule(rules, 'image/*', rule('image/png')))).toStrictEqual(['image/png', 'text/csv']);
    expect(typesOf(withRule(rules, 'gone/*', rule('image/png')))).toStrictEqual(['image/*', 'text/csv', 'image/png']);
    expect(typesOf(withoutRule(rules, 'image/*'))).toStrictEqual(['text/csv']);
  });

  it('say what they apply to', () => {
    expect(reachOf('image/*')).toBe('Types that begin with image/');
    expect([reachOf('text/csv'), reachOf('*/*')]).toStrictEqual([
      'This type only',
      'All files that no other rule matches',
    ]);
  });
});
