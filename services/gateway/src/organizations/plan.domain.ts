/** The plan of an organization. */
export const plans = ['free', 'pro', 'enterprise'] as const;

export type Plan = (typeof plans)[number];
