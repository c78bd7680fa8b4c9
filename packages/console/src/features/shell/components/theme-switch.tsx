import { setTheme, themes, useTheme } from '../../../ui/theme.js';

const titles = { system: 'System', light: 'Light', dark: 'Dark' } as const;

export function ThemeSwitch() {
  const chosen = useTheme();
  return (
    <div className="segments" role="group" aria-label="Theme">
      {themes.map((theme) => (
        <button key={theme} type="button" aria-pressed={theme === chosen} onClick={() => setTheme(theme)}>
          {titles[theme]}
        </button>
      ))}
    </div>
  );
}
