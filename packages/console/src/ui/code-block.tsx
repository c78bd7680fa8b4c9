import './code-block.css';
import { CopyButton } from './copy-button.js';

export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    <div className="code-block">
      <pre tabIndex={0} role="group" aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} label={`Copy: ${label}`} />
    </div>
  );
}
