import type { ComponentChildren } from 'preact';

type Look = 'normal' | 'primary' | 'danger' | 'plain';

interface ButtonProps {
  children: ComponentChildren;
  look?: Look;
  isSmall?: boolean;
  /** Left out in a form: the button submits it. */
  onClick?: (event: Event) => void;
  isBusy?: boolean;
  disabled?: boolean;
  label?: string;
  pressed?: boolean;
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
}: ButtonProps) {
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

/** Looks like a button and leads to a page. */
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
  return (
    <a class={classOf(look, isSmall)} href={href}>
      {children}
    </a>
  );
}
