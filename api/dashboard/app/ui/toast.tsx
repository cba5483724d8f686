// Short messages on a finished action. A form shows its own errors; errors of a button are shown here, until closed.
import { signal } from '@preact/signals';
import { faultOf } from '../use-api.ts';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';

interface Toast {
  id: number;
  text: string;
  stays: boolean;
}

const SHOWN_MS = 5_000;
const TOASTS_MAX = 4;
const toasts = signal<readonly Toast[]>([]);
let count = 0;

function show(text: string, stays: boolean): void {
  const id = count++;
  toasts.value = [...toasts.value, { id, text, stays }].slice(-TOASTS_MAX);
  if (!stays) setTimeout(() => close(id), SHOWN_MS);
}

const close = (id: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
};

export const say = (text: string): void => show(text, false);

/** Runs `work`, shows a failure, and returns whether it succeeded. */
export async function attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work();
    if (done !== undefined) say(done);
    return true;
  } catch (fault) {
    const { message, detail, faults, requestId } = faultOf(fault);
    const details = [...(detail === null ? [] : [detail]), ...faults.map((each) => `${each.field} ${each.message}`)];
    show(
      [message, ...details, ...(requestId === null ? [] : [t('(request {requestId})', { requestId })])].join(' '),
      true,
    );
    return false;
  }
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, stays }) => (
        <div class={`toast ${stays ? '' : 'passing'}`} key={id}>
          <span>{text}</span>
          <Button look="plain" isSmall onClick={() => close(id)} label={t('Close message')}>
            ✕
          </Button>
        </div>
      ))}
    </div>
  );
}
