// A form: its fields, the fault of the last attempt to send it, and the button that sends it.

import type { ComponentChildren } from 'preact';
import type { Form } from '../form.ts';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import { may, type Right } from './rights.ts';
import { ErrorNotice } from './status.tsx';

interface SubmitFormProps {
  form: Pick<Form<object>, 'submit' | 'error' | 'isSending'>;
  children: ComponentChildren;
  /** Fields that show their own faults. */
  shown?: readonly string[];
  /** The button's text. */
  send: ComponentChildren;
  look?: 'normal' | 'primary' | 'danger';
  disabled?: boolean;
  isNarrow?: boolean;
  /** The right that sending it needs; without it the form is only looked at. */
  right?: Right;
  /** The button is as wide as the form. */
  hasWideButton?: boolean;
  onCancel?: () => void;
  /** Stands beside the button. */
  beside?: ComponentChildren;
}

export function SubmitForm({
  form,
  children,
  shown = [],
  send,
  look = 'primary',
  disabled = false,
  isNarrow = false,
  right = 'change',
  hasWideButton = false,
  onCancel,
  beside,
}: SubmitFormProps) {
  if (!may(right))
    return (
      <fieldset class={isNarrow ? 'stack narrow' : 'stack'} disabled>
        {children}
        <p class="soft">{t('Your role does not allow changes here.')}</p>
      </fieldset>
    );
  const button = (
    <Button right="own" look={look} isBusy={form.isSending} disabled={disabled}>
      {send}
    </Button>
  );
  return (
    <form class={isNarrow ? 'stack narrow' : 'stack'} onSubmit={form.submit}>
      {children}
      <ErrorNotice error={form.error} shown={shown} />
      {hasWideButton ? (
        button
      ) : (
        <div class="row">
          {button}
          {onCancel !== undefined && <Button onClick={onCancel}>{t('Cancel')}</Button>}
          {beside}
        </div>
      )}
    </form>
  );
}
