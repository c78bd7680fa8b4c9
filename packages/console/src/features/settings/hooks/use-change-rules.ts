import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { showToast } from '../../../ui/toasts.js';
import type { Rule } from '../lib/routing-rules.js';
import { settingsKeys } from '../queries.js';

/** Changes the stored list, and not the shown one, which may be older. */
export function useChangeRules(change: (rules: readonly Rule[]) => Rule[], done: string, onDone: () => void) {
  const kiln = useKiln();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const { rules } = await kiln.organization.getRoutingRules();
      return await kiln.organization.setRoutingRules({ rules: change(rules) });
    },
    onSuccess: (saved) => {
      cache.setQueryData(settingsKeys.routing, saved);
      showToast(done);
      onDone();
    },
  });
}
