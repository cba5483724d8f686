// The bar below a form of several parts: saves or discards, and stays visible while there are unsaved changes.
import type { ComponentChildren } from 'preact';
import type { Form } from '../form.ts';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import { may } from './rights.ts';
import { ErrorNotice } from './status.tsx';

export function SaveBar<T>({
  form,
  shown = [],
  children,
}: {
  form: Form<T>;
  /** Visible fields that show their own faults. */
  shown?: readonly string[];
  children?: ComponentChildren;
}) {
  if (!form.isChanged && form.error === null) return null;
  return (
    <div class="save-bar">
      <ErrorNotice error={form.error} shown={shown} />
      <div class="row spread">
        <span class="soft">
          {children ?? (may('change') ? t('Unsaved changes') : t('Your role does not allow changes here.'))}
        </span>
        <span class="row">
          <Button onClick={form.discard}>{t('Discard')}</Button>
          <Button right="change" look="primary" isBusy={form.isSending}>
            {t('Save')}
          </Button>
        </span>
      </div>
    </div>
  );
}
