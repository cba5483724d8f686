// A modal dialog, and the confirmation of irreversible actions.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../client.ts';
import { route } from '../router.ts';
import { faultOf } from '../use-api.ts';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import { TextField } from './fields/field.tsx';
import { ErrorNotice } from './status.tsx';

export function Dialog({
  title,
  isWide = false,
  onClose,
  children,
}: {
  title: string;
  isWide?: boolean;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Not after the paint: a key pressed until then would go to the page behind it.
  useLayoutEffect(() => element.current?.showModal(), []);
  // Inside a form, Enter in a field of the dialog would submit that form.
  useEffect(() => {
    const dialog = element.current;
    const onKey = (event: KeyboardEvent) => {
      const form = event.target instanceof HTMLInputElement ? event.target.form : null;
      if (event.key === 'Enter' && form !== null && !dialog?.contains(form)) event.preventDefault();
    };
    dialog?.addEventListener('keydown', onKey);
    return () => dialog?.removeEventListener('keydown', onKey);
  }, []);
  return (
    <dialog ref={element} class={`dialog ${isWide ? 'wide' : ''}`} aria-labelledby={id} onClose={onClose}>
      <div class="stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

interface Question {
  title: string;
  text: ComponentChildren;
  /** The verb on the button. */
  action: string;
  /** Red, unless nothing is lost by the action. */
  look?: 'danger' | 'primary';
  /** Beside it, where "Cancel" could be taken for the action itself. */
  keep?: string;
  /** The text to type before the button works, for expensive actions. */
  typed?: string;
  perform: () => Promise<unknown>;
}

const asked = signal<Question | null>(null);

/** Asks before `perform` runs; its error is shown in the dialog, which then stays open. */
export const confirm = (question: Question): void => {
  asked.value = question;
};

/** Used once, in the shell. A question closes with its page. */
export function Confirmation() {
  const question = asked.value;
  const { path } = route.value;
  useEffect(() => {
    asked.value = null;
  }, [path]);
  if (question === null) return null;
  return <ConfirmationDialog question={question} key={question.title} />;
}

function ConfirmationDialog({ question }: { question: Question }) {
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [typed, setTyped] = useState('');
  const close = () => {
    asked.value = null;
  };
  const perform = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    question.perform().then(close, (fault: unknown) => {
      setError(faultOf(fault));
      setBusy(false);
    });
  };
  return (
    <Dialog title={question.title} onClose={close}>
      <form class="stack" onSubmit={perform}>
        <div>{question.text}</div>
        {question.typed !== undefined && (
          <TextField
            label={t('Type {typed} to confirm', { typed: question.typed })}
            value={typed}
            onChange={setTyped}
            autocomplete="off"
          />
        )}
        <ErrorNotice error={error} />
        <div class="row">
          <Button
            right="own"
            look={question.look ?? 'danger'}
            isBusy={isBusy}
            disabled={question.typed !== undefined && typed !== question.typed}
          >
            {question.action}
          </Button>
          <Button onClick={close}>{question.keep ?? t('Cancel')}</Button>
        </div>
      </form>
    </Dialog>
  );
}
