import { describe, expect, it } from '@jest/globals';
import { RunTimeline, timelineOf, type Run } from './run-timeline.js';

const T0 = Date.parse('2026-11-21T09:30:00.250Z');
const away = { code: 'provider_unavailable' as const, message: 'The provider is away.' };

function recorded(): RunTimeline {
  let now = T0;
  const timeline = new RunTimeline(() => (now += 100));
  timeline.begin('extract', 'document_extractor');
  timeline.fallBack('local', away);
  timeline.begin('index', null);
  return timeline;
}
const run = (overrides: Partial<Run>): Run => ({
  attempt: 1,
  status: 'completed',
  started_at: new Date(T0),
  ended_at: new Date(T0 + 1_000),
  error: null,
  steps: null,
  ...overrides,
});

describe('the timeline of a job', () => {
  it('has each step of a run with its provider, its time, and the error that caused a fallback', () => {
    const shown = timelineOf([run({ steps: recorded().steps })]);
    expect(
      shown.map(({ step, provider, status, duration_ms, error }) => [step, provider, status, duration_ms, error]),
    ).toStrictEqual([
      ['extract', 'document_extractor', 'failed', 100, away],
      ['extract', 'local', 'completed', 100, null],
      ['index', null, 'completed', 500, null],
    ]);
    expect([shown[0]?.started_at, shown[0]?.ended_at]).toStrictEqual(['2026-11-21 09:30:00', '2026-11-21 09:30:00']);
  });

  it('ends an open step as its run ended', () => {
    const failed = timelineOf([run({ status: 'failed', error: away, steps: recorded().steps })]);
    expect(failed.map(({ status }) => status)).toStrictEqual(['failed', 'completed', 'failed']);
    expect(failed.at(-1)?.error).toStrictEqual(away);
    const [, , open] = timelineOf([run({ status: 'running', ended_at: null, steps: recorded().steps })]);
    expect([open?.status, open?.ended_at, open?.duration_ms]).toStrictEqual(['running', null, null]);
  });

  it('has one entry for a run that ended before its first step, and keeps runs in order', () => {
    const shown = timelineOf([run({ status: 'interrupted' }), run({ attempt: 2, steps: recorded().steps })]);
    expect(shown.map(({ attempt, step }) => [attempt, step])).toStrictEqual([
      [1, null],
      [2, 'extract'],
      [2, 'extract'],
      [2, 'index'],
    ]);
    expect(shown[0]?.duration_ms).toBe(1_000);
  });

  it('never shows a negative duration, nor more of an error than its code and message', () => {
    const fault = { ...away, retryable: true };
    const [entry] = timelineOf([run({ status: 'failed', ended_at: new Date(T0 - 5), error: fault })]);
    expect(entry?.duration_ms).toBe(0);
    expect(entry?.error).toStrictEqual(away);
  });
});
