import { useEffect, useEffectEvent } from 'react';
import { ShortcutReader, takesText, type Shortcut } from '../lib/shortcuts.js';

/** Calls `run` with the keys of a shortcut, unless the user types text or a dialog is open. */
export function useShortcuts(known: readonly Shortcut[], run: (keys: string) => void): void {
  const onShortcut = useEffectEvent(run);
  useEffect(() => {
    const reader = new ShortcutReader(known);
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
      if (event.target instanceof HTMLElement && takesText(event.target)) return;
      const keys = reader.read(event.key, event.timeStamp);
      if (keys === null) return;
      event.preventDefault();
      onShortcut(keys);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [known]);
}
