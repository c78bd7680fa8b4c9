/** What an organization has subscribed to. */
export const plans = ['free', 'pro', 'enterprise'] as const;

export type Plan = (typeof plans)[number];
