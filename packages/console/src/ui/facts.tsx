import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.js';
import './facts.css';

/** The properties of an object in one row, with its id. */
export function Facts({ id, children }: { id: string; children: ReactNode }) {
  return (
    <dl className="facts">
      {children}
      <Fact name="Id">
        <code>{id}</code> <CopyButton text={id} label="Copy the id" />
      </Fact>
    </dl>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
