import { OptionGroup } from '../../../ui/option-group.js';
import { setTheme, themes, useTheme } from '../../../ui/theme.js';

const titles = { system: 'System', light: 'Light', dark: 'Dark' } as const;

export function ThemeSwitch() {
  return (
    <OptionGroup
      label="Theme"
      options={themes}
      titleOf={(theme) => titles[theme]}
      value={useTheme()}
      onChange={setTheme}
    />
  );
}
