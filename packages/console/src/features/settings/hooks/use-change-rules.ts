import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../../../ui/use-action.js';
import type { Rule } from '../lib/routing-rules.js';
import { settingsKeys } from '../queries.js';

/** Changes the stored list, and not the shown one, which may be older. */
export function useChangeRules(change: (rules: readonly Rule[]) => Rule[], done: string, onDone: () => void) {
  const cache = useQueryClient();
  return useAction({
    run: async (kiln) => {
      const { rules } = await kiln.organization.getRoutingRules();
      return await kiln.organization.setRoutingRules({ rules: change(rules) });
    },
    done,
    onDone: (saved) => {
      cache.setQueryData(settingsKeys.routing, saved);
      onDone();
    },
  });
}
