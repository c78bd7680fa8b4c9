import { WakeUp } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

/** Sent when an organization has changed its rules, keys or settings. */
export const POLICIES_CHANGED = 'jobs.policies-changed';

/** Makes every worker clear its cache of policies. */
@Injectable()
export class PolicyChanges {
  constructor(private readonly wakeUp: WakeUp) {}

  announce(): void {
    this.wakeUp.send(POLICIES_CHANGED);
  }
}
