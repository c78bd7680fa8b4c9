/** What delivery workers listen for. */
export const WEBHOOKS_WAKE_UP = 'webhooks';
