// Shows the first thing that is wrong in a refused form: its first field at fault, or else the notice.

/** Visible controls at fault, and the fault of a group of them. */
const AT_FAULT = '[aria-invalid="true"], fieldset > .fault';
const CONTROL = 'input:not(:disabled), select:not(:disabled), textarea:not(:disabled), button:not(:disabled)';

/** Scrolls to what is at fault around a notice, and focuses it. */
export function showFault(notice: HTMLElement): void {
  const around = notice.closest('form') ?? notice.closest('dialog, .page') ?? document.body;
  const found = [...around.querySelectorAll<HTMLElement>(AT_FAULT)].find((each) => each.checkVisibility());
  const control = found?.matches('.fault') ? found.parentElement?.querySelector<HTMLElement>(CONTROL) : found;
  const target = control ?? notice;
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: 'center' });
}
