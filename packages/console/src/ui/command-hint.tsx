// The same action from a terminal or a program. A key is never part of the text.
import { useId, useState, type ReactNode } from 'react';
import { CopyButton } from './copy-button.js';
import { Icon } from './icon.js';

export interface Commands {
  cli?: string;
  curl: string;
  sdk: string;
}

const names = { cli: 'CLI', curl: 'curl', sdk: 'TypeScript' } as const;

interface CommandHintProps {
  title: string;
  commands: Commands;
  /** Chooses the action, if there are several. */
  children?: ReactNode;
}

export function CommandHint({ title, commands, children }: CommandHintProps) {
  const [kind, setKind] = useState<keyof Commands>('curl');
  const id = useId();
  const text = commands[kind] ?? commands.curl;
  return (
    <details className="command-hint">
      <summary>
        <Icon name="terminal" /> {title}
      </summary>
      <div className="command-bar">
        {children}
        <div className="command-kinds" role="group" aria-label="Language">
          {(['curl', 'sdk', 'cli'] as const)
            .filter((name) => commands[name] !== undefined)
            .map((name) => (
              <button key={name} type="button" aria-pressed={name === kind} onClick={() => setKind(name)}>
                {names[name]}
              </button>
            ))}
          <CopyButton text={text} label="Copy the command" />
        </div>
      </div>
      <pre id={id} tabIndex={0} aria-label={`${names[kind]} command`}>
        {text}
      </pre>
    </details>
  );
}
