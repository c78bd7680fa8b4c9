// Shows in /readyz whether each lane of a worker claims jobs, as `claims_text` and `claims_sandbox`.
import type { CheckKind, HealthServer } from '@kiln/platform';
import { lanes, type Lane } from '../claims/lane.domain.js';

export function reportClaims(
  health: Pick<HealthServer, 'addCheck'>,
  workers: { isClaiming(lane: Lane): boolean },
  kind: CheckKind,
): void {
  for (const lane of lanes) {
    health.addCheck(`claims_${lane}`, kind, async () => {
      if (!workers.isClaiming(lane)) throw new Error('runs in a row failed because the machine or a part of Kiln did');
    });
  }
}
