import { Dialog } from '../../../ui/dialog.js';
import type { Shortcut } from '../lib/shortcuts.js';

interface ShortcutHelpProps {
  shortcuts: readonly Shortcut[];
  onClose: () => void;
}

const inLists: readonly Shortcut[] = [
  { keys: '↑ ↓', does: 'Previous or next row of a list' },
  { keys: 'Space', does: 'Select the row' },
  { keys: 'Shift Click', does: 'Select all rows up to this one' },
  { keys: 'Esc', does: 'Close, or clear the selection' },
];

export function ShortcutHelp({ shortcuts, onClose }: ShortcutHelpProps) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="shortcut-list">
        {[...shortcuts, ...inLists].map(({ keys, does }) => (
          <div key={keys}>
            <dt>{does}</dt>
            <dd>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
