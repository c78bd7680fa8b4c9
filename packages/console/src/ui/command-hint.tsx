// The same action from a terminal or a program. A key is never part of the text.
import { useState, type ReactNode } from 'react';
import './command-hint.css';
import { CopyButton } from './copy-button.js';
import { Icon } from './icon.js';
import { OptionGroup } from './option-group.js';

export interface Commands {
  cli?: string;
  curl: string;
  sdk: string;
}

const kinds = ['curl', 'sdk', 'cli'] as const;
const names = { cli: 'CLI', curl: 'curl', sdk: 'TypeScript' } as const;

interface CommandHintProps {
  title: string;
  commands: Commands;
  /** Chooses the action, if there are several. */
  children?: ReactNode;
}

export function CommandHint({ title, commands, children }: CommandHintProps) {
  const [kind, setKind] = useState<keyof Commands>('curl');
  const text = commands[kind] ?? commands.curl;
  return (
    <details className="command-hint">
      <summary>
        <Icon name="terminal" /> {title}
      </summary>
      <div className="command-bar">
        {children}
        <div className="command-kinds">
          <OptionGroup
            label="Language"
            options={kinds.filter((one) => commands[one] !== undefined)}
            titleOf={(one) => names[one]}
            value={kind}
            onChange={setKind}
          />
          <CopyButton text={text} label="Copy the command" />
        </div>
      </div>
      <pre tabIndex={0} aria-label={`${names[kind]} command`}>
        {text}
      </pre>
    </details>
  );
}
