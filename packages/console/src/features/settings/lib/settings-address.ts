// Which part of the settings is shown, as the address has it.
export const tabs = ['processing', 'routing', 'provider-keys', 'branding', 'portal', 'capabilities'] as const;
export type Tab = (typeof tabs)[number];

export const tabNames: Readonly<Record<Tab, string>> = {
  processing: 'Processing',
  routing: 'Routing rules',
  'provider-keys': 'Provider keys',
  branding: 'Branding',
  portal: 'Portal',
  capabilities: 'Capabilities',
};

interface SettingsAddress {
  /** Processing, if it is left out. */
  tab?: Exclude<Tab, 'processing'>;
}

export const addressOf = (tab: Tab): SettingsAddress => (tab === 'processing' ? {} : { tab });

/** Ignores what it does not know: addresses are typed and shared. */
export const readSettingsAddress = ({ tab }: Record<string, unknown>): SettingsAddress =>
  addressOf(tabs.find((one) => one === tab) ?? 'processing');
