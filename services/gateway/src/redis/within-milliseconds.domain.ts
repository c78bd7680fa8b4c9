import { within } from '@kiln/resilience';

/** Returns the result of `work`. Rejects when it takes longer than `milliseconds`. */
export const withinMilliseconds = <Result>(milliseconds: number, work: Promise<Result>): Promise<Result> =>
  within(milliseconds, work, () => {
    throw new Error(`no answer within ${milliseconds} ms`);
  });
