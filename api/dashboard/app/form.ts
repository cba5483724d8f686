// The state of a form: values, changes to the saved record, and the service's faults by field.
import { useRef, useState } from 'preact/hooks';
import { changedMeanwhile, differences } from './changed-meanwhile.ts';
import { ApiError } from './client.ts';
import { faultOf } from './use-api.ts';
import { fieldName } from './versions/field-names.ts';
import { t } from './words/words.ts';

interface Bound<V> {
  value: V;
  fault: string | undefined;
  onChange: (value: V) => void;
}

export interface Form<T> {
  values: T;
  set: <K extends keyof T>(name: K, value: T[K]) => void;
  /** Message for a field by its JSON path, e.g. `hours[0].open`; with `deep`, also for fields inside it. */
  faultOf: (path: string, deep?: boolean) => string | undefined;
  /** The properties of a field's input: `<TextField label="Name" {...form.field('name')} />`. */
  field: <K extends keyof T & string>(name: K) => Bound<T[K]>;
  /** The error that concerns no single field, or a field that the form does not show. */
  error: ApiError | null;
  isSending: boolean;
  /** The values that differ from the first ones. */
  changes: Partial<T>;
  isChanged: boolean;
  submit: (event?: Event) => void;
  /** Shows these values, whatever was typed. */
  reset: (values: T) => void;
  /** Shows the saved record again. */
  discard: () => void;
  /** A saved record is the new base of comparison; what was typed and not sent with it stays. */
  rebase: (record: T) => void;
}

/**
 * @param send called with the form; its errors are shown
 * @param newest reads the record as it stands now: a field that somebody else has changed meanwhile is not sent before
 *   the person has seen so
 */
export function useForm<T extends object>(
  initial: T,
  send: (form: Form<T>) => Promise<void>,
  newest?: () => Promise<T>,
): Form<T> {
  const [saved, setSaved] = useState(initial);
  const [values, setValues] = useState(initial);
  const [error, setError] = useState<ApiError | null>(null);
  const [isSending, setSending] = useState(false);
  const base = useRef(initial);
  /** The values that are being sent. The state is as of the last drawing: Enter may come twice before the next one. */
  const sent = useRef<T | null>(null);
  const changes = differences(values, saved);
  /** @throws {ApiError} theirs is the new base of comparison, and what was typed stays for a second save */
  const checkNewest = async (read: () => Promise<T>): Promise<void> => {
    const former = base.current;
    const now = await read();
    const fields = changedMeanwhile(former, values, now);
    if (fields.length === 0) return;
    base.current = now;
    setSaved(now);
    setValues((typed) => ({ ...now, ...differences(typed, former) }));
    throw new ApiError(409, 'CHANGED_MEANWHILE', changedText(fields), [], null);
  };
  const form: Form<T> = {
    values,
    changes,
    error,
    isSending,
    isChanged: Object.keys(changes).length > 0,
    set: (name, value) => setValues((before) => ({ ...before, [name]: value })),
    faultOf: (path, deep = false) =>
      error?.faults.find(
        ({ field }) => field === path || (deep && (field.startsWith(`${path}[`) || field.startsWith(`${path}.`))),
      )?.message,
    field: (name) => ({
      value: values[name],
      fault: form.faultOf(name),
      onChange: (value) => form.set(name, value),
    }),
    reset: (next) => {
      base.current = next;
      setSaved(next);
      setValues(next);
      setError(null);
    },
    discard: () => form.reset(base.current),
    rebase: (record) => {
      const former = sent.current ?? base.current;
      base.current = record;
      setSaved(record);
      setValues((now) => ({ ...record, ...differences(now, former) }));
      setError(null);
    },
    submit: (event) => {
      event?.preventDefault();
      if (sent.current !== null) return;
      sent.current = values;
      setSending(true);
      setError(null);
      Promise.resolve(newest === undefined ? undefined : checkNewest(newest))
        .then(() => send(form))
        .catch((fault: unknown) => setError(faultOf(fault)))
        .finally(() => {
          sent.current = null;
          setSending(false);
        });
    },
  };
  return form;
}

const changedText = (fields: readonly string[]): string =>
  t(
    'Somebody else has changed this meanwhile: {fields}. What you typed still stands here. Save again to replace theirs, or discard to see it.',
    { fields: fields.map(fieldName).join(', ') },
  );
