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

  it('fire for the fault of their case, and no other alert does', () => {
    const tests = alertCases.map(({ alert, labels, at, fault }) => ({
      name: alert,
      series: { ...running, ...fault },
      expectations: [{ at, firing: [{ ...labels, alertname: alert }] }],
    }));
    expect(testRules(tests)).toBe('');
  });

  it('do not fire in the usual state of their case', () => {
    const tests = alertCases.map(({ alert, at, usual }) => ({
      name: alert,
      series: { ...running, ...usual },
      expectations: [{ at, firing: [] }],
    }));
    expect(testRules(tests)).toBe('');
  });
});
