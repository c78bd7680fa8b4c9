import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { CallContext } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextFromHeaders, contextToHeaders } from './call-context.js';

const context: CallContext = {
  requestId: 'a-request',
  tenantId: uuidv7(),
  mode: 'live',
  principal: 'key_1',
  deadlineAt: 1_005_000,
};
const trace = {
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'vendor=1,other=2',
};

beforeEach(() => void jest.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void jest.useRealTimers());

it('a call arrives with the context it was sent with, including the W3C trace context', () => {
  expect(contextFromHeaders(contextToHeaders({ ...context, ...trace }, 5_000))).toStrictEqual({ ...context, ...trace });
});

it('a call outside a trace arrives without trace context', () => {
  expect(contextFromHeaders(contextToHeaders(context, 5_000))).toStrictEqual(context);
});

it('a call has the same time left on a host whose clock is an hour ahead or behind', () => {
  const sent = contextToHeaders(context, 5_000);
  for (const shiftMs of [3_600_000, -3_600_000]) {
    jest.setSystemTime(1_000_000 + shiftMs);
    expect(contextFromHeaders(sent)?.deadlineAt).toBe(1_000_000 + shiftMs + 5_000);
  }
});
