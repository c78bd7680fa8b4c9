import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.js';

interface ButtonProps extends ComponentProps<'button'> {
  icon?: IconName;
  kind?: 'primary' | 'danger';
}

export function Button({ icon, kind, children, ...rest }: ButtonProps) {
  return (
    <button type="button" className={kind ? `button button-${kind}` : 'button'} {...rest}>
      {icon && <Icon name={icon} />} {children}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  icon: IconName;
  /** What it does, for readers. */
  label: string;
}

export function IconButton({ icon, label, ...rest }: IconButtonProps) {
  return (
    <button type="button" className="icon-button" aria-label={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}
