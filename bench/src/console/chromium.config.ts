/** The browser that is measured. */
export const findChromium = (): string => process.env['KILN_TEST_CHROMIUM'] ?? '/usr/bin/chromium';
