/** The clock of code under test, so that a test can control the time. */
export interface Clock {
  now(): Date;
}

/** A clock that moves only when a test moves it. */
export class FakeClock implements Clock {
  private milliseconds: number;

  constructor(start: Date | string = '2026-01-01T00:00:00.000Z') {
    this.milliseconds = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.milliseconds);
  }

  advance(step: { days?: number; hours?: number; minutes?: number; seconds?: number; milliseconds?: number }): void {
    const hours = (step.days ?? 0) * 24 + (step.hours ?? 0);
    const seconds = (hours * 60 + (step.minutes ?? 0)) * 60 + (step.seconds ?? 0);
    this.milliseconds += seconds * 1_000 + (step.milliseconds ?? 0);
  }

  set(moment: Date | string): void {
    this.milliseconds = new Date(moment).getTime();
  }
}
