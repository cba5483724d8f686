// Buttons, and links that look like them.
import type { ComponentChildren } from 'preact';
import { may, mayOpen, type Right } from './rights.ts';

type Look = 'normal' | 'primary' | 'danger' | 'plain';

interface ButtonProps {
  children: ComponentChildren;
  look?: Look;
  isSmall?: boolean;
  /** Without it, the button submits its form. */
  onClick?: (event: Event) => void;
  isBusy?: boolean;
  disabled?: boolean;
  label?: string;
  pressed?: boolean;
  /** Without this right the button is not there; default: none is needed, but for one of danger `change`. */
  right?: Right;
}

const classOf = (look: Look, isSmall: boolean): string =>
  ['button', look === 'normal' ? '' : look, isSmall ? 'small' : ''].filter(Boolean).join(' ');

export function Button({
  children,
  look = 'normal',
  isSmall = false,
  onClick,
  isBusy,
  disabled,
  label,
  pressed,
  right = look === 'danger' ? 'change' : 'own',
}: ButtonProps) {
  if (!may(right)) return null;
  return (
    <button
      type={onClick === undefined ? 'submit' : 'button'}
      class={classOf(look, isSmall)}
      onClick={onClick}
      disabled={disabled || isBusy}
      aria-busy={isBusy}
      aria-label={label}
      aria-pressed={pressed}
    >
      {children}
    </button>
  );
}

/** A link to a page that looks like a button; nothing where the user may not do what the page is for. */
export function ButtonLink({
  children,
  href,
  look = 'normal',
  isSmall = false,
}: {
  children: ComponentChildren;
  href: string;
  look?: Look;
  isSmall?: boolean;
}) {
  if (!mayOpen(href)) return null;
  return (
    <a class={classOf(look, isSmall)} href={href}>
      {children}
    </a>
  );
}
