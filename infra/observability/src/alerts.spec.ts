// Real: promtool, where it is installed. The series of `alert-cases.ts` are written by hand.
import { describe, expect, it } from '@jest/globals';
import { alertCases, running } from './alert-cases.js';
import { alertRules } from './alert-rules.js';
import { checkRules, isPromtoolInstalled, NOT_INSTALLED, testRules } from './promtool.js';

it('each alert has a case', () => {
  const names = alertCases.map(({ alert }) => alert);
  expect(names.toSorted()).toStrictEqual(alertRules.map(({ alert }) => alert).toSorted());
});

const title = isPromtoolInstalled ? 'the rules' : `the rules (${NOT_INSTALLED})`;
(isPromtoolInstalled ? describe : describe.skip)(title, () => {
  it('are valid', () => {
    expect(checkRules()).toMatchObject({ status: 0 });
  });

  it.each(alertCases)('$alert fires for its fault, and no other alert does', ({ alert, labels, at, fault }) => {
    expect(testRules({ ...running, ...fault }, [{ at, firing: [{ ...labels, alertname: alert }] }])).toBe('');
  });

  it.each(alertCases)('$alert does not fire in a usual state', ({ at, usual }) => {
    expect(testRules({ ...running, ...usual }, [{ at, firing: [] }])).toBe('');
  });
});
